# Sources without a test of their own name, and the test that covers them. The check is in CMakeLists.txt. Shorten this list:
# a new source gets a test of its own.
procsim_tested_by(
  taxonomy/export/tree_drawing_test.cpp "escaping, seen in the drawing that needs it"
  data/base/markup.cpp)
procsim_tested_by(
  cli/program_test.cpp "one string, seen through --version"
  data/base/version.cpp)
procsim_tested_by(
  data/files/csv_test.cpp "text that is no UTF-8, refused by its readers"
  data/base/utf8.cpp)
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
  train/guidance_test.cpp "written and read where it is used"
  data/labels/guidance_table.cpp)
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
  train/confidence_test.cpp "thresholds of one formula, each against expected values"
  train/confidence/gaussian_mixture.cpp
  train/confidence/otsu.cpp)
procsim_tested_by(
  train/reports_test.cpp "the files of one run"
  train/config.cpp
  train/epoch_record.cpp
  train/event_file.cpp
  train/matrix_plot.cpp
  train/run_page.cpp
  train/svg_plot.cpp)
procsim_tested_by(
  train/inputs_test.cpp "one input with and without its cache"
  train/activation_cache.cpp
  train/image_inputs.cpp
  train/embed_all.cpp)
procsim_tested_by(
  train/trainer_test.cpp "the steps of one training, seen in what it writes"
  train/device.cpp
  train/evaluation.cpp
  train/learner.cpp
  train/optimizer_state.cpp
  train/session.cpp
  train/train_data.cpp)
procsim_tested_by(
  train/guidance_test.cpp "guidance from its tables to the loss"
  train/guidance/guidance_loss.cpp
  train/guidance/pseudo_labels.cpp
  train/guidance/wordnet_names.cpp)
procsim_tested_by(
  train/word_piece_test.cpp "the letters that it splits"
  train/guidance/unicode.cpp)
procsim_tested_by(
  train/losses_test.cpp "losses of one interface, against expected values"
  train/losses/contrastive.cpp
  train/losses/multi_similarity.cpp
  train/losses/proxy_nca.cpp
  train/losses/sample_loss.cpp
  train/losses/super_loss.cpp)
procsim_tested_by(
  train/metrics_test.cpp "measures over one table of embeddings, against expected values"
  train/metrics/clustering.cpp
  train/metrics/neighbours.cpp
  train/metrics/retrieval.cpp)
procsim_tested_by(
  train/models_test.cpp "backbones of one interface, compared with the originals"
  train/models/backbone.cpp
  train/models/efficientnet_lite.cpp
  train/models/embedder.cpp
  train/models/resnet.cpp
  train/models/scripted.cpp
  train/models/small.cpp)
procsim_tested_by(
  cli/procsim_train_tasks_test.cpp "a command each, run as a user does"
  train/run_tasks.cpp)
procsim_tested_by(
  cli/procsim_train_score_test.cpp "a command, run as a user does"
  train/run_scores.cpp
  train/scoring/embedding_sources.cpp
  train/scoring/fold_models.cpp)
procsim_tested_by(
  train/scoring_noise_test.cpp "the estimates of one noise model"
  train/scoring/label_noise.cpp
  train/scoring/noise_estimates.cpp
  train/scoring/dominant_confusions.cpp)
procsim_tested_by(
  train/scoring_test.cpp "the steps of one scoring"
  train/scoring/class_distances.cpp
  train/scoring/class_scores.cpp
  train/scoring/cross_fit.cpp
  train/scoring/discriminant.cpp
  train/scoring/feature_table.cpp
  train/scoring/label_scores.cpp
  train/scoring/rankings.cpp
  train/scoring/sample_neighbours.cpp
  train/scoring/scoring_options.cpp
  train/scoring/task_threads.cpp)
