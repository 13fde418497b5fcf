import { render } from 'preact';
import { html } from './view/element.ts';
import { App } from './app.ts';

const root = document.querySelector('#page');
if (root !== null) render(html`<${App} />`, root);
