#!/usr/bin/env python3
"""What Hugging Face's tokenizer and BERT model make of 1,000 texts: accents, CJK, punctuation, long words, emoji, control
letters, empty ones, names of birds and ImageNet classes. Run once in an environment with transformers and torch:

    python make_text_encoder.py MODELS/all-minilm-l6-v2 > text_encoder.json

Each text has its token numbers (cut at 128) and every 24th component of its mean-pooled unit vector.
"""
import json
import random
import sys

import torch
from transformers import BertModel, BertTokenizerFast

MAX_TOKENS = 128
STEP = 24

BIRDS = """Black-footed Albatross|Laysan Albatross|Groove-billed Ani|Crested Auklet|Brewer's Blackbird|Red-winged Blackbird|
Indigo Bunting|Chuck-will's-widow|Brandt Cormorant|Fish Crow|Mangrove Cuckoo|Gray-crowned Rosy Finch|Great Crested Flycatcher|
Anna Hummingbird|Ruby-throated Hummingbird|Green Violetear|Florida Jay|Ringed Kingfisher|Western Meadowlark|Clark's Nutcracker|
Brown Pelican|Sayornis|Whip-poor-will|Le Conte's Sparrow|Nelson's Sharp-tailed Sparrow|Elegant Tern|Bewick's Wren""".replace("\n", "").split("|")
THINGS = """tench|great white shark|electric ray|hen|brambling|junco|water ouzel|kite|bald eagle|European fire salamander|
sulphur-crested cockatoo|jacamar|red-breasted merganser|black grouse|ptarmigan|bittern|ruddy turnstone|king penguin|tiger shark|
Saint Bernard|Old English sheepdog|Mexican hairless|warplane|wok|jack-o'-lantern|crème brûlée|toilet tissue""".replace("\n", "").split("|")
PIECES = """ÀÉÎÕÜ|crème brûlée|naïve façade|Ångström|Zażółć gęślą jaźń|Đorđe|İstanbul|ǅungla|ﬁn|Ǆ|straße|ΑΒΓ|Ὀδυσσεύς|Привет, мир|ёлка|ЙОД|
שָׁלוֹם|السَّلَامُ|हिन्दी|ไทย|한국어|각|가나다|日本語|ひらがな|カタカナ|ﾊﾝｶｸ|北京|北京市is big|𠀀𪚥|豈更|ｆｕｌｌｗｉｄｔｈ|①②|½|x²|№5|€100|£3.50|¥|™|©2020|
…|—dash–|“quotes”|‘single’|«guillemets»|¿qué?|¡hola!|don't|rock'n'roll|e-mail|a/b/c|C++|C#|#hash|@user|100%|a_b_c|x=y^2|{json: [1, 2]}|
~tilde~|`code`|$5.00|1,234,567.89|3.14159|2024-01-31|12:34:56|https://example.org/path?q=1&r=2|me@example.org|
🙂|👍|❤|☃|★|♫|→|∑∫√|½ cup|a\tb|a\nb|a\r\nb|a\u00a0b|a\u2003b|a\u3000b|a\u2028b|zero\u200bwidth|soft\u00adhyphen|\ufeffbom|
\u0000nul|bell\u0007|del\u007f|\u0085nel|\u200ertl|\ufffd|e\u0301|o\u0308\u0304|n\u0303o|\u0301alone|q\u0323\u0307|Ａ|
[MASK]|[UNK]|a [SEP] b|[CLS][PAD]|[mask]|##ing|##|[unused0]""".replace("|\n", "|").split("|")
WORDS = """photo of a bird small yellow winged sitting on branch with long bill antidisestablishmentarianism pneumonoultramicroscopic
unbelievable tokenization embeddings Zoologist ornithology passerine HUMMINGBIRD hUmMiNg QwErTy xylophonist kraakendebrekers""".split()


def texts():
    draw = random.Random(20240131)
    found = ["", " ", "   \t\n ", "a", "A", ".", "...", "é", "中", "\u0301", "\u0000", "a" * 99, "a" * 100, "a" * 101, "ab" * 60,
             "é" * 100, "é" * 101, "e\u0301" * 60, "中" * 150, "word " * 200, "." * 200, "supercalifragilistic" * 4,
             "한" * 33, "한" * 34, "한국" * 20]
    found += [f"A photo of a {name}" for name in BIRDS + THINGS]
    found += BIRDS + THINGS + PIECES
    found += [f"A photo of a {piece}" for piece in PIECES]
    pool = BIRDS + THINGS + PIECES + WORDS
    while len(found) < 900:
        count = draw.randint(2, 9)
        found.append(draw.choice([" ", " ", " ", "", ", ", "-", "  "]).join(draw.choice(pool) for _ in range(count)))
    letters = [chr(c) for first, last in ((0x20, 0x7E), (0xA0, 0x17F), (0x370, 0x3FF), (0x400, 0x45F), (0x5D0, 0x5EA), (0x621, 0x64A),
                                          (0x905, 0x939), (0xE01, 0xE30), (0x3041, 0x3096), (0x4E00, 0x4E60), (0xAC00, 0xAC60),
                                          (0x1E00, 0x1EF9), (0x2010, 0x2044), (0x1F600, 0x1F640)) for c in range(first, last + 1)]
    letters = [c for c in letters if c.isprintable() or c == " "]
    while len(found) < 1000:
        found.append("".join(draw.choice(letters + [" "] * 60) for _ in range(draw.randint(1, 60))))
    return found[:1000]


def main():
    folder = sys.argv[1]
    tokenizer = BertTokenizerFast(vocab_file=f"{folder}/vocab.txt", do_lower_case=True)
    model = BertModel.from_pretrained(folder).eval()
    out = []
    for text in texts():
        batch = tokenizer(text, truncation=True, max_length=MAX_TOKENS, return_tensors="pt")
        with torch.no_grad():
            vector = model(**batch).last_hidden_state[0].mean(0)
        vector = vector / vector.norm()
        out.append({"text": text, "ids": batch["input_ids"][0].tolist(),
                    "vector": [round(value, 6) for value in vector[::STEP].tolist()]})
    print('{"max_tokens":%d,"step":%d,"texts":[' % (MAX_TOKENS, STEP))
    print(",\n".join(json.dumps(item, separators=(",", ":")) for item in out))
    print("]}")


main()
