/** The style of the conformance section. */
export const conformanceStyle = `
.judging { display: grid; grid-template-columns: minmax(0, 26rem) minmax(0, 1fr); gap: 1.25rem 2rem; align-items: start; }
.judging > div > h2:first-child, .judge h2, .running h2 { margin-top: 0; }
.judge { display: grid; gap: 0.75rem; }
.judge p { margin: 0; }
.judge fieldset { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; border: 0; margin: 0; padding: 0; }
.judge legend { padding: 0; color: var(--soft); font-size: 0.9em; }
.judge .row { display: grid; grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); gap: 0.75rem; }
.field { display: grid; gap: 0.2rem; align-content: start; }
.field label { font-size: 0.9em; color: var(--soft); }
.field input, .field select { width: 100%; }
[aria-invalid] { border-color: var(--bad); }
.hint { color: var(--soft); font-size: 0.86em; margin: 0; }
.error:empty { display: none; }
.actions, .line { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.9rem; }
button[aria-disabled] { opacity: 0.55; cursor: not-allowed; }
.plan { background: var(--code); border-radius: 6px; padding: 0.6rem 0.8rem; display: grid; gap: 0.4rem; }
.plan ul { margin: 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 0.15rem 1rem; font-size: 0.9em; }
.running { margin-bottom: 1.25rem; }
.running progress { width: 100%; height: 0.9rem; accent-color: var(--link); }
.running p { margin: 0.4rem 0 0; font-variant-numeric: tabular-nums; }
.running .danger { margin-left: auto; }
.runs { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; gap: 0.6rem; max-height: 26rem; overflow-y: auto; }
.runs > li { display: grid; gap: 0.4rem; padding: 0.7rem 1rem; }
.runs p { margin: 0; }
.runs > li[aria-current] { border-color: var(--link); }
.verdict { border-radius: 5px; padding: 0.05rem 0.55rem; background: var(--doubt-wash); color: var(--doubt); }
.verdict.conforms { background: var(--good-wash); color: var(--good); }
.verdict.failed { background: var(--bad-wash); color: var(--bad); }
.drop { border: 1px dashed var(--line); border-radius: 8px; padding: 0.7rem 1rem; margin: 0 0 1rem; }
.drop.over { border-color: var(--link); background: var(--code); }
.drop label { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 0.9rem; }
.compare { display: flex; flex-wrap: wrap; gap: 0.5rem 0.9rem; align-items: center; }
.compare label, .compare select { min-width: 0; }
.report, .comparison { margin-top: 1.5rem; }
.report h2, .comparison h2 { margin: 0 auto 0 0; }
[tabindex="-1"]:focus { outline: none; }
.differences { table-layout: fixed; min-width: 40rem; }
.differences :is(th, td) { overflow-wrap: anywhere; font-weight: 400; }
.differences th > code:first-child { display: block; }
.differences thead th { font-weight: 600; }
.comparison details { margin-top: 1rem; }
.report iframe { display: block; width: 100%; height: max(30rem, calc(100vh - 10rem)); margin-top: 0.5rem; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); }
@media (max-width: 60rem) { .judging { grid-template-columns: minmax(0, 1fr); } }
`;
