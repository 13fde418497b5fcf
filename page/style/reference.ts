/** The style of the section Reference. */
export const referenceSectionStyle = `
.reference-head { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 1.5rem; }
.reference-head :is(h1, p) { margin: 0; }
`;

/** Within Swagger UI, on the colours of the page: less air, and text with contrast. */
export const referenceStyle = `
:host { display: block; overflow-x: auto; }
.swagger-ui .wrapper { padding: 0; max-width: none; }
.swagger-ui .info { margin: 1rem 0; }
.swagger-ui .info .title { font-size: 1.35rem; }
.swagger-ui .info .title small { background: #565c66; top: 0; }
.swagger-ui .info .title small.version-stamp { background: #3d6400; }
.swagger-ui .scheme-container, :host(.dark-mode) .swagger-ui .scheme-container { background: none; box-shadow: none; margin: 0 0 1rem; padding: 0; }
.swagger-ui :is(.info a, .link, .info .url) { color: var(--link); }
:host(.dark-mode) .swagger-ui { background: none; }
.swagger-ui .btn.authorize, .swagger-ui .btn.authorize span { color: var(--good); border-color: var(--good); }
.swagger-ui .btn.authorize svg { fill: var(--good); }
.swagger-ui .btn.cancel { color: var(--bad) !important; border-color: var(--bad); }
.swagger-ui .btn.execute, :host(.dark-mode) .swagger-ui .btn.execute { background: #1a56a8; border-color: #1a56a8; color: #fff; }
.swagger-ui .download-contents, :host(.dark-mode) .swagger-ui .download-contents { background: #565c66; color: #fff; }
.swagger-ui .opblock .opblock-summary-method, :host(.dark-mode) .swagger-ui .opblock .opblock-summary-method { background: #565c66; color: #fff !important; text-shadow: none; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1a56a8 !important; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #1c6b3c !important; }
.swagger-ui .opblock:is(.opblock-put, .opblock-patch) .opblock-summary-method { background: #7a5200 !important; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #a8201a !important; }
.swagger-ui .opblock.opblock-deprecated { opacity: 1; }
.swagger-ui .opblock.opblock-deprecated .opblock-summary-method { background: #565c66 !important; }
.swagger-ui :is(.opblock-summary-path, .opblock-summary-path__deprecated, .opblock-summary-description, .headers td, .header-col, .examples-select__section-label, .responses-inner h4, .responses-inner h5, .response-col_links, .model, .prop-type, .prop-format) { color: var(--ink) !important; }
.swagger-ui :is(.parameter__in, .parameter__extension, .parameter__deprecated, .parameter__type, .response-undocumented, .markdown em) { color: var(--soft) !important; }
.swagger-ui .microlight, .swagger-ui .curl { background: #1c1f24 !important; }
.swagger-ui .microlight span[style*="211, 99, 99"] { color: #ff9a8f !important; }
.swagger-ui :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
`;
