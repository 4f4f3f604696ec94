#include "train/reports/html_page.hpp"

#include <fmt/format.h>

#include "data/base/markup.hpp"
#include "train/reports/svg_plot.hpp"

namespace procsim::train {
namespace {

constexpr std::string_view kStyle = R"(
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5d6875;--rule:#d9dee5;--paper:#fff;--s0:#2266bb;--s1:#c8472d;
--s2:#2f8f5b;--s3:#8a5bc0;--s4:#a8821a;--s5:#4a7f8f}
@media(prefers-color-scheme:dark){:root{--ink:#e4e8ee;--soft:#9aa5b1;--rule:#39424d;--paper:#161b21;--s0:#6aa7f0;--s1:#f0866e;
--s2:#6cc794;--s3:#bd97ea;--s4:#d8b650;--s5:#86bccb}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:1000px;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}p.sub{color:var(--soft)}
.plots{display:flex;flex-wrap:wrap;gap:1.2rem}svg{max-width:100%;height:auto}
svg text{font:11px system-ui,sans-serif;fill:var(--ink)}svg text.title{font-weight:600;font-size:12px}svg text.tick{fill:var(--soft)}
.grid{stroke:var(--rule)}.marker{stroke:var(--ink);stroke-dasharray:3 2}.bar{opacity:.62}
polyline{fill:none;stroke-width:1.8}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{text-align:right;padding:.15rem .7rem;border-bottom:1px solid var(--rule)}th:first-child,td:first-child{text-align:left}
.scroll{overflow-x:auto}.scroll table{font-size:.85rem}.scroll th{overflow-wrap:anywhere;vertical-align:bottom;min-width:3.4rem}.scroll th,.scroll td{padding:.15rem .4rem}svg image{image-rendering:pixelated}h3{font-size:1rem;margin:1.4rem 0 0}h3+p{margin-top:.2rem}
table.words td,table.words th{text-align:left}th[colspan]{text-align:left;padding-top:.9rem;color:var(--soft)})";

std::string colour_rules() {
  std::string css;
  for (int i = 0; i < kPlotColours; ++i)
    css += fmt::format(".line-{0}{{stroke:var(--s{0})}}.fill-{0}{{fill:var(--s{0})}}", i);
  return css;
}

}  // namespace

std::string html_page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\"><title>{}</title><style>{}{}</style></head><body>{}</"
      "body></html>\n",
      markup_text(title), kStyle, colour_rules(), body);
}

}  // namespace procsim::train
