/** The style of the section Reference. */
export const referenceSectionStyle = `
.reference-head { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 1.5rem; }
.reference-head :is(h1, p) { margin: 0; }
`;

/** Within Swagger UI: the fonts of the page, less air, and text that has contrast. */
export const referenceStyle = `
:host { display: block; }
`;
