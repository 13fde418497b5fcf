/** Where pages have the mock. */
const shown = 'http://127.0.0.1:4010';

/** Sends what a curl line of a page would send, to the mock at an origin: status and body. */
export async function sendCurl(line: string, origin: string): Promise<readonly [number, string]> {
  const option = (flag: string): readonly string[] =>
    [...line.matchAll(new RegExp(` ${flag} (?:'([^']*)'|(\\S+))`, 'g'))].map(
      ([, quoted, plain]) => quoted ?? plain ?? '',
    );
  const headers = option('-H').map((header): [string, string] => [
    header.split(': ')[0] ?? '',
    header.split(': ')[1] ?? '',
  ]);
  const [body] = option('-d');
  const url = /'(http:\/\/127\.0\.0\.1:4010[^']*)'$/.exec(line)?.[1] ?? 'none';
  const response = await fetch(url.replace(shown, origin), {
    method: option('-X')[0] ?? 'GET',
    headers,
    ...(body === undefined ? {} : { body }),
  });
  return [response.status, await response.text()];
}

/** The blocks of a page in a language. */
export function blocksOf(page: string, language: string): readonly string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(
    ([, text = '']) => text,
  );
}

/** The curl lines of a page, in its order. */
export function curlLines(page: string): readonly string[] {
  return blocksOf(page, 'sh')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('curl '));
}
