import { render } from 'preact';
import { html } from '../view/element.ts';

const root = document.querySelector('#page');
if (root !== null) render(html`<h1>Mock</h1>`, root);
