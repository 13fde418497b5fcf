/** The style of forms that several sections have. */
export const formStyle = `
.error-line:empty { display: none; }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.6rem; margin: 0.4rem 0; }
.tools label { display: inline-flex; flex-wrap: wrap; align-items: center; gap: 0.4rem; }
.item-form, .new-fault { background: var(--code); border-radius: 8px; padding: 0.25rem 0.9rem 0.6rem; margin: 0.6rem 0; }
.new-fault h3 { margin: 0.75rem 0 0.25rem; font-size: 1rem; }
.item-form h3:focus { outline: none; }
.entries { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11rem, 100%), 1fr)); gap: 0.5rem 0.9rem; margin: 0.5rem 0; align-items: start; }
.entry, .entries > label, .block { display: grid; gap: 0.15rem; }
.entry label, .entries > label > span, .block > span { color: var(--soft); font-size: 0.86rem; }
.entries :is(input, select) { width: 100%; min-width: 0; }
.entry .remark { font-size: 0.8rem; color: var(--soft); }
.entry .remark.error { color: var(--bad); }
[aria-invalid="true"] { border-color: var(--bad); }
.block { margin: 0.5rem 0; }
`;
