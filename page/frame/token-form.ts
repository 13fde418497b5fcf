import { html, type Html } from '../../view/element.ts';

interface TokenFormProps {
  readonly message: string;
  readonly onToken: (token: string) => void;
}

/** Asks for the token that the mock was started with. It stays in the memory of the page. */
export function TokenForm({ message, onToken }: TokenFormProps): Html {
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const { currentTarget } = event;
    if (!(currentTarget instanceof HTMLFormElement)) return;
    const token = new FormData(currentTarget).get('token');
    if (typeof token === 'string' && token !== '') onToken(token);
  };
  return html`<main class="alone">
    <h1>The mock wants its token</h1>
    <p>${message}</p>
    <form onSubmit=${send}>
      <label>Token <input name="token" type="password" autocomplete="off" required /></label>
      <button type="submit">Open</button>
    </form>
    <p class="soft">It is what <code>--control-token</code> said when the mock was started.</p>
  </main>`;
}
