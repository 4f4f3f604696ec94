"""Vision transformers and Swin in plain PyTorch for load_embedder.py. Everything but the arithmetic is read off the tensors: width, depth,
registers, layer scale. Heads are 64 wide in the vision transformers that procsim-train knows, and 32 in Swin.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn


class Named(nn.Module):
    """Parameters under the names of the file."""

    def __init__(self, tensors):
        super().__init__()
        self.names = {name: name.replace(".", "/") for name in tensors}
        for name, tensor in tensors.items():
            self.register_parameter(self.names[name], nn.Parameter(tensor.float()))

    def __contains__(self, name):
        return name in self.names

    def at(self, name):
        return getattr(self, self.names[name]) if name in self.names else None

    def linear(self, x, name):
        return F.linear(x, self.at(f"{name}.weight"), self.at(f"{name}.bias"))

    def norm(self, x, name, epsilon):
        return F.layer_norm(x, x.shape[-1:], self.at(f"{name}.weight"), self.at(f"{name}.bias"), epsilon)


class VisionTransformer(Named):
    def __init__(self, tensors):
        super().__init__(tensors)
        self.clip = "norm_pre.weight" in self
        self.epsilon = 1e-5 if self.clip else 1e-6
        self.depth = sum(name.endswith(".norm1.weight") for name in tensors)

    def tokens(self, pixels):
        kernel = self.at("patch_embed.proj.weight")
        patches = F.conv2d(pixels, kernel, self.at("patch_embed.proj.bias"), kernel.shape[-1])
        first = self.at("cls_token")
        if "dist_token" in self:
            first = torch.cat([first, self.at("dist_token")], 1)
        places, count = self.at("pos_embed"), first.shape[1]
        side = math.isqrt(places.shape[1] - count)
        grid = places[:, count:].reshape(1, side, side, -1).permute(0, 3, 1, 2)
        if patches.shape[2:] != (side, side):
            grid = F.interpolate(grid, tuple(patches.shape[2:]), mode="bicubic", antialias="reg_token" in self)
        parts = [(first + places[:, :count]).expand(len(pixels), -1, -1)]
        if "reg_token" in self:
            parts.append(self.at("reg_token").expand(len(pixels), -1, -1))
        x = torch.cat([*parts, (patches + grid).flatten(2).transpose(1, 2)], 1)
        return self.norm(x, "norm_pre", self.epsilon) if self.clip else x

    def mlp(self, x, name):
        hidden, out = self.linear(x, f"{name}.fc1"), self.at(f"{name}.fc2.weight")
        if self.clip:
            hidden = hidden * torch.sigmoid(1.702 * hidden)
        elif hidden.shape[-1] == 2 * out.shape[1]:
            gate, value = hidden.chunk(2, -1)
            hidden = F.silu(gate) * value
        else:
            hidden = F.gelu(hidden)
        return self.linear(hidden, f"{name}.fc2")

    def scaled(self, x, name):
        return x * self.at(name) if name in self else x

    def forward(self, pixels):
        x = self.tokens(pixels)
        batch, count, width = x.shape
        for number in range(self.depth):
            block = f"blocks.{number}"
            qkv = self.linear(self.norm(x, f"{block}.norm1", self.epsilon), f"{block}.attn.qkv")
            q, k, v = qkv.view(batch, count, 3, width // 64, 64).permute(2, 0, 3, 1, 4)
            drawn = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(batch, count, width)
            x = x + self.scaled(self.linear(drawn, f"{block}.attn.proj"), f"{block}.ls1.gamma")
            x = x + self.scaled(self.mlp(self.norm(x, f"{block}.norm2", self.epsilon), f"{block}.mlp"), f"{block}.ls2.gamma")
        token = self.norm(x[:, 0], "norm", self.epsilon)
        return self.linear(token, "projection") if "projection.weight" in self else token


class Swin(Named):
    WINDOW = 7

    def windows(self, x):
        w, (batch, side, _, width) = self.WINDOW, x.shape
        return x.view(batch, side // w, w, side // w, w, width).transpose(2, 3).reshape(-1, w * w, width)

    def mask(self, side, shift):
        region = torch.zeros(side)
        region[side - self.WINDOW:side - shift], region[side - shift:] = 1, 2
        cut = self.windows((3 * region[:, None] + region[None, :])[None, :, :, None])[..., 0]
        return torch.where(cut[:, None, :] != cut[:, :, None], -100.0, 0.0)

    def bias(self, name):
        w = self.WINDOW
        row, column = torch.arange(w).repeat_interleave(w), torch.arange(w).repeat(w)
        index = (row[:, None] - row + w - 1) * (2 * w - 1) + column[:, None] - column + w - 1
        return self.at(f"{name}.relative_position_bias_table")[index].permute(2, 0, 1)

    def attend(self, x, name, shifted):
        w, (batch, side, _, width) = self.WINDOW, x.shape
        padded = -(-side // w) * w
        x = F.pad(x, (0, 0, 0, padded - side, 0, padded - side))
        shift = w // 2 if shifted and padded > w else 0
        x = self.windows(x.roll((-shift, -shift), (1, 2)))
        q, k, v = self.linear(x, f"{name}.qkv").view(len(x), w * w, 3, width // 32, 32).permute(2, 0, 3, 1, 4)
        bias = self.bias(name)[None]
        if shift:
            bias = (bias + self.mask(padded, shift)[:, None]).repeat(batch, 1, 1, 1)
        x = F.scaled_dot_product_attention(q, k, v, bias).transpose(1, 2).reshape(-1, w * w, width)
        x = self.linear(x, f"{name}.proj").view(batch, padded // w, padded // w, w, w, width).transpose(2, 3)
        x = x.reshape(batch, padded, padded, width).roll((shift, shift), (1, 2))
        return x[:, :side, :side]

    def forward(self, pixels):
        x = F.conv2d(pixels, self.at("patch_embed.proj.weight"), self.at("patch_embed.proj.bias"), 4).permute(0, 2, 3, 1)
        x = self.norm(x, "patch_embed.norm", 1e-5)
        for layer in range(4):
            number = 0
            while (block := f"layers.{layer}.blocks.{number}") + ".norm1.weight" in self:
                x = x + self.attend(self.norm(x, f"{block}.norm1", 1e-5), f"{block}.attn", number % 2 == 1)
                hidden = F.gelu(self.linear(self.norm(x, f"{block}.norm2", 1e-5), f"{block}.mlp.fc1"))
                x = x + self.linear(hidden, f"{block}.mlp.fc2")
                number += 1
            if f"layers.{layer}.downsample.norm.weight" in self:
                odd = x.shape[1] % 2
                x = F.pad(x, (0, 0, 0, odd, 0, odd))
                x = torch.cat([x[:, 0::2, 0::2], x[:, 1::2, 0::2], x[:, 0::2, 1::2], x[:, 1::2, 1::2]], -1)
                x = self.linear(self.norm(x, f"layers.{layer}.downsample.norm", 1e-5), f"layers.{layer}.downsample.reduction")
        return self.norm(x, "norm", 1e-5).flatten(1, 2).mean(1)
