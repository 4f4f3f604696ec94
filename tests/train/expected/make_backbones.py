#!/usr/bin/env python3
"""What transformers, timm and torchvision compute for small networks whose weights and pixels both sides make by formula. Run once:

    python make_backbones.py hugging_face > backbones_hugging_face.json    with torch, transformers and safetensors
    python make_backbones.py timm > backbones_timm.json                    with torch, torchvision and timm

Weights: the tensors of the file in the order of their names; element i of tensor t is sin(0.37·i + t) · scale, with
scale = sqrt(2 / fan_in) for tensors of several dimensions, where fan_in is their size over their first side; vectors that end in .weight and
running variances are 1 + 0.1·sin(…), other vectors 0.1·sin(…). Pixels are cos(0.05·i).
A case holds names and shapes of the file as the library writes it, and the features at some sizes.
"""
import json
import sys
import tempfile
import types
from pathlib import Path

import torch


def formula(shapes):
    state = {}
    for t, (name, shape) in enumerate(sorted(shapes.items())):
        count = torch.Size(shape).numel()
        values = torch.sin(0.37 * torch.arange(count, dtype=torch.float64) + t)
        if len(shape) > 1:
            values *= (2 / (count / shape[0])) ** 0.5
        elif name.endswith("running_var") or name.endswith(".weight"):
            values = 1 + 0.1 * values
        else:
            values *= 0.1
        state[name] = values.reshape(shape).float()
    return state


def pixels(size):
    return torch.cos(0.05 * torch.arange(2 * 3 * size * size, dtype=torch.float64)).float().reshape(2, 3, size, size)


def case(name, shapes, run, sizes, step=1):
    with torch.no_grad():
        outputs = {str(size): [[round(value, 7) for value in row] for row in run(pixels(size))[:, ::step].tolist()] for size in sizes}
    return {"name": name, "shapes": shapes, "step": step, "features": outputs}


# --- transformers -----------------------------------------------------------------------------------------------------------------
def file_shapes(model):
    from safetensors import safe_open
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        with safe_open(Path(folder) / "model.safetensors", "pt") as file:
            shapes = {name: list(file.get_slice(name).get_shape()) for name in file.keys()}
    return {name: shape for name, shape in shapes.items() if not name.endswith("num_batches_tracked")}


def filled(model, state):
    """The same model with this file's weights, read as transformers reads files."""
    from safetensors.torch import save_file
    with tempfile.TemporaryDirectory() as folder:
        model.config.save_pretrained(folder)
        save_file({name: tensor.contiguous() for name, tensor in state.items()}, Path(folder) / "model.safetensors", {"format": "pt"})
        model, said = type(model).from_pretrained(folder, output_loading_info=True)
    wrong = [name for name in said["missing_keys"] if not name.endswith("num_batches_tracked")] + list(said["unexpected_keys"])
    assert not wrong, wrong
    return model.eval()


def of_file(name, model, features, sizes, step=1):
    shapes = file_shapes(model)
    model = filled(model, formula(shapes))
    return case(name, shapes, lambda x: features(model, x), sizes, step)


def dinov2_state_of_original(state):
    """The original repository's names in transformers' words."""
    out = {"embeddings.mask_token": state["mask_token"]}
    top = {"cls_token": "embeddings.cls_token", "pos_embed": "embeddings.position_embeddings",
           "register_tokens": "embeddings.register_tokens", "patch_embed.proj.weight": "embeddings.patch_embeddings.projection.weight",
           "patch_embed.proj.bias": "embeddings.patch_embeddings.projection.bias", "norm.weight": "layernorm.weight",
           "norm.bias": "layernorm.bias"}
    parts = {"attn.proj": "attention.output.dense", "mlp.w12": "mlp.weights_in", "mlp.w3": "mlp.weights_out", "norm1": "norm1", "norm2": "norm2"}
    for name, tensor in state.items():
        if name in top:
            out[top[name]] = tensor
        if not name.startswith("blocks."):
            continue
        _, block, part, *rest = name.split(".")
        layer = f"encoder.layer.{block}."
        if part.startswith("ls"):
            out[f"{layer}layer_scale{part[2]}.lambda1"] = tensor
        elif rest[0] == "qkv":
            for word, piece in zip(("query", "key", "value"), tensor.chunk(3)):
                out[f"{layer}attention.attention.{word}.{rest[1]}"] = piece
        else:
            out[layer + parts[".".join([part, *rest[:-1]])] + "." + rest[-1]] = tensor
    return out


def clip_state_of_openai(state):
    v = "vision_model."
    out = {f"{v}embeddings.class_embedding": state["visual.class_embedding"],
           f"{v}embeddings.position_embedding.weight": state["visual.positional_embedding"],
           f"{v}embeddings.patch_embedding.weight": state["visual.conv1.weight"], "visual_projection.weight": state["visual.proj"].T}
    for kind in ("weight", "bias"):
        out[f"{v}pre_layrnorm.{kind}"] = state[f"visual.ln_pre.{kind}"]
        out[f"{v}post_layernorm.{kind}"] = state[f"visual.ln_post.{kind}"]
        for block in range(2):
            theirs, ours = f"visual.transformer.resblocks.{block}.", f"{v}encoder.layers.{block}."
            for word, piece in zip("qkv", state[f"{theirs}attn.in_proj_{kind}"].chunk(3)):
                out[f"{ours}self_attn.{word}_proj.{kind}"] = piece
            for a, b in (("attn.out_proj", "self_attn.out_proj"), ("ln_1", "layer_norm1"), ("ln_2", "layer_norm2"),
                         ("mlp.c_fc", "mlp.fc1"), ("mlp.c_proj", "mlp.fc2")):
                out[f"{ours}{b}.{kind}"] = state[f"{theirs}{a}.{kind}"]
    return out


def block_shapes(prefix, width, hidden, scale=True):
    shapes = {}
    for name, shape in (("norm1", [width]), ("norm2", [width]), ("attn.qkv", [3 * width, width]), ("attn.proj", [width, width]),
                        ("mlp.w12", [2 * hidden, width]), ("mlp.w3", [width, hidden])):
        shapes[f"{prefix}{name}.weight"], shapes[f"{prefix}{name}.bias"] = shape, shape[:1]
    return shapes | {f"{prefix}ls1.gamma": [width], f"{prefix}ls2.gamma": [width]}


def original_dinov2(t):
    shapes = {"cls_token": [1, 1, 24], "pos_embed": [1, 17, 24], "mask_token": [1, 24], "register_tokens": [1, 4, 24],
              "patch_embed.proj.weight": [24, 3, 14, 14], "patch_embed.proj.bias": [24], "norm.weight": [24], "norm.bias": [24]}
    for block in range(2):
        shapes |= block_shapes(f"blocks.{block}.", 24, 64)
    model = t.Dinov2WithRegistersModel(t.Dinov2WithRegistersConfig(
        hidden_size=24, num_hidden_layers=2, num_attention_heads=3, image_size=56, patch_size=14, use_swiglu_ffn=True))
    model = filled(model, dinov2_state_of_original(formula(shapes)))
    return case("dinov2 original", shapes, lambda x: model(x).last_hidden_state[:, 0], (56, 30))


def openai_clip(t, config):
    shapes = {"visual.class_embedding": [24], "visual.positional_embedding": [17, 24], "visual.conv1.weight": [24, 3, 16, 16],
              "visual.proj": [24, 16], "logit_scale": [], "text_projection": [8, 16], "token_embedding.weight": [5, 8]}
    for norm in ("ln_pre", "ln_post"):
        shapes |= {f"visual.{norm}.weight": [24], f"visual.{norm}.bias": [24]}
    for block in range(2):
        p = f"visual.transformer.resblocks.{block}."
        for name, shape in (("ln_1", [24]), ("ln_2", [24]), ("attn.out_proj", [24, 24]), ("mlp.c_fc", [96, 24]), ("mlp.c_proj", [24, 96])):
            shapes[f"{p}{name}.weight"], shapes[f"{p}{name}.bias"] = shape, shape[:1]
        shapes[f"{p}attn.in_proj_weight"], shapes[f"{p}attn.in_proj_bias"] = [72, 24], [72]
    model = filled(t.CLIPVisionModelWithProjection(config), clip_state_of_openai(formula(shapes)))
    return case("clip openai", shapes, lambda x: model(x).image_embeds, (64,))


def hugging_face():
    import transformers as t
    vit = dict(hidden_size=24, num_hidden_layers=2, num_attention_heads=3)
    first = lambda model, x: model(x).last_hidden_state[:, 0]
    anywhere = lambda model, x: model(x, interpolate_pos_encoding=True).last_hidden_state[:, 0]
    dinov2 = dict(**vit, image_size=56, patch_size=14)
    plain = dict(**vit, intermediate_size=96, image_size=64, patch_size=16)
    clip = t.CLIPVisionConfig(**plain, projection_dim=16)
    resnet = lambda **more: t.ResNetModel(t.ResNetConfig(depths=[2, 1, 1, 1], **more))
    pooled = lambda model, x: model(x).pooler_output.flatten(1)
    return [
        of_file("dinov2", t.Dinov2Model(t.Dinov2Config(**dinov2)), first, (56, 98, 30)),
        of_file("dinov2 swiglu", t.Dinov2Model(t.Dinov2Config(**dinov2, use_swiglu_ffn=True)), first, (56,)),
        of_file("dinov2 registers", t.Dinov2WithRegistersModel(t.Dinov2WithRegistersConfig(**dinov2)), first, (56, 98, 30)),
        of_file("vit", t.ViTModel(t.ViTConfig(**plain, layer_norm_eps=1e-6)), anywhere, (64, 96)),
        of_file("deit distilled", t.DeiTModel(t.DeiTConfig(**plain, layer_norm_eps=1e-6)), anywhere, (64, 96)),
        of_file("clip", t.CLIPVisionModelWithProjection(clip),
                lambda model, x: model(x, interpolate_pos_encoding=True).image_embeds, (64, 96)),
        of_file("swin", t.SwinModel(t.SwinConfig(image_size=64, embed_dim=12, depths=[2, 2], num_heads=[2, 4], window_size=4)),
                lambda model, x: model(x).pooler_output, (64, 40)),
        of_file("resnet bottleneck", resnet(), pooled, (64,), 97),
        of_file("resnet bottleneck v1", resnet(downsample_in_bottleneck=True), pooled, (64,), 97),
        of_file("resnet basic", resnet(layer_type="basic", hidden_sizes=[64, 128, 256, 512]), pooled, (64,), 97),
        original_dinov2(t),
        openai_clip(t, clip),
    ]


# --- timm and torchvision ---------------------------------------------------------------------------------------------------------
def of_module(name, model, features, sizes, step=1):
    model = model.eval()
    shapes = {key: list(value.shape) for key, value in model.state_dict().items() if value.is_floating_point()}
    model.load_state_dict(formula(shapes), strict=False)
    return case(name, shapes, lambda x: features(model, x), sizes, step)


def timm_and_torchvision():
    # torchvision's compiled operators are not needed here, and may not fit the torch at hand.
    sys.modules["torchvision._meta_registrations"] = types.ModuleType("torchvision._meta_registrations")
    import timm
    import torchvision
    from functools import partial
    from timm.layers import SwiGLUPacked
    from timm.models.swin_transformer import SwinTransformer
    from timm.models.vision_transformer import VisionTransformer
    tiny = dict(embed_dim=24, depth=2, num_heads=3)
    first = lambda model, x: model.forward_features(x)[:, 0]
    pooled = lambda model, x: model.forward_head(model.forward_features(x), pre_logits=True)

    def without_head(model, x):
        model.heads = torch.nn.Identity()
        return model(x)

    def swin(model, x):
        model.head = torch.nn.Identity()
        return model(x)

    cases = [
        of_module("timm vit", VisionTransformer(img_size=64, num_classes=5, **tiny), first, (64,)),
        of_module("timm dinov2 registers", VisionTransformer(
            img_size=56, patch_size=14, num_classes=0, init_values=1e-5, reg_tokens=4, no_embed_class=True, mlp_ratio=2.66667 * 2,
            mlp_layer=SwiGLUPacked, act_layer=torch.nn.SiLU, dynamic_img_size=True, **tiny), first, (56, 42)),
        of_module("timm clip", VisionTransformer(img_size=64, num_classes=16, pre_norm=True, norm_layer=partial(torch.nn.LayerNorm, eps=1e-5),
                                                 act_layer=timm.layers.QuickGELU, class_token=True, global_pool="token", **tiny),
                  lambda model, x: model.forward_features(x)[:, 0] @ model.head.weight.T, (64,)),
        of_module("timm swin", SwinTransformer(img_size=64, embed_dim=12, depths=(2, 2), num_heads=(2, 4), window_size=4, num_classes=5), pooled, (64,)),
        of_module("torchvision vit", torchvision.models.VisionTransformer(64, 16, 2, 3, 24, 96, num_classes=5), without_head, (64,)),
        of_module("torchvision swin", torchvision.models.SwinTransformer([4, 4], 12, [2, 2], [2, 4], [4, 4], num_classes=5), swin, (64, 40)),
    ]
    for number in range(1, 5):
        one = of_module(f"efficientnet-lite{number}", timm.create_model(f"tf_efficientnet_lite{number}"), pooled, (64,), 97)
        one["shapes"] = {}  # our own names, in the same order
        cases.append(one)
    for name in ("resnet34", "resnet101"):
        model = getattr(torchvision.models, name)()
        one = of_module(name, model, lambda model, x: torch.nn.Sequential(*list(model.children())[:-1])(x).flatten(1), (64,), 97)
        one["shapes"] = {}
        cases.append(one)
    return cases


cases = {"hugging_face": hugging_face, "timm": timm_and_torchvision}[sys.argv[1]]()
print("[\n" + ",\n".join(json.dumps(one, separators=(",", ":")) for one in cases) + "\n]")
