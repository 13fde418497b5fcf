/**
 * The style of what every page shares: texts, focus, tables, facts, tiles, bodies, exchanges. Comes
 * after `tokens`. Contrast of text is at least 4.5 to 1 (WCAG 2.2, 1.4.3).
 */
export const style = `
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 var(--sans); overflow-wrap: break-word; }
dl, dd, pre { margin: 0; }
h2 { font-size: 1.15rem; line-height: 1.3; letter-spacing: -0.01em; margin: 0; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre, .start-line, .headers li { font-family: var(--mono); font-size: 0.86em; }
pre code { font-size: 1em; }
code { overflow-wrap: anywhere; }
summary { cursor: pointer; }
button { font: inherit; color: inherit; }
mark { background: var(--mark); color: var(--mark-ink); border-radius: 2px; box-shadow: 0 2px 0 var(--bad); padding: 0 1px; }
mark, mark [class] { color: var(--mark-ink); }
.visually-hidden { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; white-space: nowrap; }
.label { margin: 0 0 0.25rem; color: var(--soft); font-size: 0.86rem; }
.note { color: var(--soft); font-size: 0.9rem; margin: 0.5rem 0; }
.code { position: relative; background: var(--code); border-radius: 6px; }
.code pre { padding: 0.6rem 4.5rem 0.6rem 0.8rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.tall pre { padding-right: 0.8rem; }
.code em { color: var(--soft); font-family: var(--sans); }
.copy { position: absolute; top: 0.35rem; right: 0.35rem; font: 0.78rem/1.4 var(--sans); color: var(--link); background: var(--card); border: 1px solid var(--line); border-radius: 5px; padding: 0.1rem 0.5rem; min-height: 24px; cursor: pointer; }
.copy:hover { border-color: var(--link); }
@media (scripting: none) { .copy { display: none; } .code pre { padding-right: 0.8rem; } }
.json-name { color: var(--link); }
.json-string { color: var(--good); }
.json-number, .json-word { color: var(--doubt); }
.exchange { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 0.75rem 1.25rem; }
.message { min-width: 0; }
.start-line { margin: 0 0 0.25rem; overflow-wrap: anywhere; }
.no-body { margin: 0; color: var(--soft); font-style: italic; font-size: 0.9rem; }
.headers { margin: 0 0 0.35rem; }
.headers summary { color: var(--soft); font-size: 0.86rem; }
.headers ul { list-style: none; margin: 0.25rem 0 0; padding: 0 0 0 0.8rem; overflow-wrap: anywhere; }
.tally { list-style: none; display: flex; flex-wrap: wrap; gap: 0.4rem; margin: 0; padding: 0; }
.tally li { border: 1px solid var(--line); border-radius: 6px; background: var(--card); padding: 0.1rem 0.7rem; color: var(--soft); font-size: 0.92rem; }
.tally strong { font-size: 1.05rem; font-variant-numeric: tabular-nums; color: var(--ink); }
.tally .passed, .tally .passed strong { color: var(--good); background: var(--good-wash); }
.tally .failed, .tally .failed strong { color: var(--bad); background: var(--bad-wash); }
.tally :is(.not-tested, .waived, .advised), .tally :is(.not-tested, .waived, .advised) strong { color: var(--doubt); background: var(--doubt-wash); }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(9.5rem, 100%), 1fr)); gap: 0.6rem 1.5rem; }
.facts dt { color: var(--soft); font-size: 0.82rem; }
.facts dd { overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.facts div:has(code) { grid-column: span 2; }
.scroll { overflow-x: auto; position: relative; }
table { border-collapse: collapse; width: 100%; background: var(--card); font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 0.6rem; border-bottom: 1px solid var(--line); }
thead th { font-weight: 600; font-size: 0.8rem; color: var(--soft); white-space: nowrap; }
tbody th { font-weight: 600; }
.list { min-width: 42rem; }
.list th { font-weight: 400; width: 32%; }
.list thead th { font-weight: 600; }
.list ul { margin: 0; padding: 0; list-style: none; }
.list td { overflow-wrap: anywhere; min-width: 8rem; }
@media (max-width: 46rem) {
  :is(.matrix, .list), :is(.matrix, .list) :is(tbody, tr, td, th) { display: block; width: auto; min-width: 0; }
  :is(.matrix, .list) thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  :is(.matrix, .list) tr { padding: 0.4rem 0 0.7rem; border-bottom: 1px solid var(--line); }
  :is(.matrix, .list) :is(th, td) { border: 0; padding: 0.3rem 0.6rem; }
  .facts div:has(code) { grid-column: auto; }
}
@media print {
  body { font-size: 10pt; }
  .copy { display: none; }
  tr, .code { break-inside: avoid-page; }
  h2, h3, .label { break-after: avoid; }
  .scroll { overflow: visible; }
  details::details-content { content-visibility: visible; block-size: auto; display: block; }
}
`;
