# Sources without a test of their own name, and the test that covers them. The check is in CMakeLists.txt. Shorten this list:
# a new source gets a test of its own.
procsim_tested_by(
  cli/program_test.cpp "one string, seen through --version"
  data/base/version.cpp)
procsim_tested_by(
  data/files/csv_test.cpp "one table, whichever file it is read from"
  data/files/table.cpp)
procsim_tested_by(
  data/files/parquet_table_test.cpp "Arrow behind the reader that users see"
  data/files/arrow_values.cpp
  data/files/parquet_io.cpp)
procsim_tested_by(
  data/files/atomic_file_test.cpp "what a killed writer leaves behind"
  data/files/leftovers.cpp)
procsim_tested_by(
  data/sets/cars196_test.cpp "MATLAB files as the data set has them"
  data/files/mat_check.cpp
  data/files/mat_file.cpp)
procsim_tested_by(
  data/sets/cub200_test.cpp "text files as the data set has them"
  data/files/text_lines.cpp)
procsim_tested_by(
  taxonomy/export/matrix_export_test.cpp "the one table that is written column by column"
  data/files/table_writer.cpp)
procsim_tested_by(
  data/images/image_test.cpp "one image, compared with Pillow whatever the format"
  data/images/jpeg.cpp
  data/images/orientation.cpp
  data/images/png.cpp
  data/images/resize.cpp)
procsim_tested_by(
  data/labels/label_set_test.cpp "the directions of one format"
  data/labels/label_classes.cpp
  data/labels/label_set_reader.cpp
  data/labels/label_set_writer.cpp)
procsim_tested_by(
  data/sets/fieldguide_test.cpp "parts of one drawing, seen in its pictures"
  data/sets/fieldguide/anatomy.cpp
  data/sets/fieldguide/bird.cpp
  data/sets/fieldguide/canvas.cpp
  data/sets/fieldguide/classes.cpp
  data/sets/fieldguide/drawing.cpp
  data/sets/fieldguide/fields.cpp
  data/sets/fieldguide/generation.cpp
  data/sets/fieldguide/geometry.cpp
  data/sets/fieldguide/plumage.cpp
  data/sets/fieldguide/scene.cpp
  data/sets/fieldguide_dataset.cpp)
procsim_tested_by(
  data/sets/dataset_test.cpp "seen through every reader"
  data/sets/image_presence.cpp
  data/sets/sample_path.cpp
  data/sets/split.cpp)
procsim_tested_by(
  data/sets/parquet_dataset_test.cpp "the parts of a reader"
  data/sets/parquet_images.cpp
  data/sets/sample_bytes.cpp
  data/sets/table_labels.cpp)
procsim_tested_by(
  taxonomy/export/tree_export_test.cpp "one tree in every format"
  taxonomy/export/tree_page.cpp
  taxonomy/export/tree_svg.cpp
  taxonomy/export/tree_text.cpp)
procsim_tested_by(
  taxonomy/import/imported_tree_test.cpp "one import, whichever format"
  taxonomy/import/import_formats.cpp)
procsim_tested_by(
  taxonomy/resolve/resolver_test.cpp "steps of one resolution"
  taxonomy/resolve/name_match.cpp
  taxonomy/resolve/sense_ranking.cpp)
procsim_tested_by(
  taxonomy/tree/check_test.cpp "reports on the same small tree"
  taxonomy/tree/diff.cpp
  taxonomy/tree/display_tree.cpp
  taxonomy/tree/places.cpp
  taxonomy/tree/same_classes.cpp
  taxonomy/tree/stats.cpp)
procsim_tested_by(
  taxonomy/wordnet/wordnet_test.cpp "WordNet behind the class that users see"
  taxonomy/wordnet/ascii_fold.cpp
  taxonomy/wordnet/wn_library.cpp
  taxonomy/wordnet/wordnet_line.cpp
  taxonomy/wordnet/wordnet_nouns.cpp)
procsim_tested_by(
  noise/label_statistics_test.cpp "reports on the same label set"
  noise/confusion_drawing.cpp
  noise/label_export.cpp)
procsim_tested_by(
  noise/verification_test.cpp "what a check reports"
  noise/lints.cpp)
procsim_tested_by(
  noise/injection_test.cpp "the steps of one injection"
  noise/noise_plan.cpp
  noise/provenance.cpp)
procsim_tested_by(
  noise/target_model_test.cpp "the models of one interface"
  noise/tree_models.cpp)
procsim_tested_by(
  train/models/vision_transformer_test.cpp "each library's names, in the networks that they load into"
  train/models/layout_hugging_face.cpp
  train/models/layout_openai.cpp
  train/models/layout_timm.cpp
  train/models/layout_torchvision.cpp)
procsim_tested_by(
  train/methods/registry_test.cpp "what the registry holds, and hands to commands"
  train/methods/builtin.cpp
  train/methods/compositions.cpp
  train/methods/methods.cpp
  train/losses/contrastive_component.cpp
  train/trust/components.cpp)
procsim_tested_by(
  train/trust/proxy_trust_test.cpp "what a confidence rule says, as a trust reports it"
  train/trust/judgement.cpp)
procsim_tested_by(
  train/loop/train_run_test.cpp "whole runs: what they leave, interrupted or not"
  train/loop/run_reports.cpp
  train/loop/training_loop.cpp)
procsim_tested_by(
  data/noise_model/label_noise_test.cpp "the inner loop of the fit, seen in what it finds"
  data/noise_model/noise_expectation.cpp
  data/noise_model/noise_fit.cpp)
procsim_tested_by(
  train/scoring/label_scores_test.cpp "the rounds of one answer"
  train/scoring/cross_fit_rounds.cpp)
