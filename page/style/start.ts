/** The style of the section Start. */
export const startStyle = `
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1.5rem 2rem; align-items: start; }
.columns > section { min-width: 0; }
.columns section > h2:first-child { margin-top: 0; }
.columns h3 { margin: 1rem 0 0.35rem; }
.base { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 0.75rem; margin-top: 0; }
.base > * { min-width: 0; max-width: 100%; overflow-wrap: anywhere; }
.base .copied code { font-size: 1.05rem; font-weight: 600; }
.copied { display: inline-flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
.copied .copy { position: static; }
.first .good { color: var(--good); }
.first .bad { color: var(--bad); }
.columns .number, .request .number { text-align: right; font-variant-numeric: tabular-nums; }
.controls { display: flex; flex-wrap: wrap; align-items: end; gap: 0.5rem 0.75rem; }
.controls label { display: grid; grid-template-columns: minmax(0, auto); max-width: 100%; gap: 0.15rem; font-size: 0.86rem; color: var(--soft); min-width: 0; }
.controls label > * { color: var(--ink); font-size: 0.95rem; }
.controls :is(input, select, button) { min-height: 2.2rem; }
.links { display: grid; gap: 0.3rem; }
.links > div { display: grid; grid-template-columns: 9rem 1fr; gap: 0.25rem 0.75rem; align-items: center; }
.links dt { color: var(--soft); }
.next { padding-left: 1.1rem; margin: 0; }
.choices dt { margin-top: 0.6rem; }
.choices dd { color: var(--soft); }
@media (max-width: 40rem) { .links > div { grid-template-columns: 1fr; } }
`;
