import { posix } from 'node:path';

/**
 * The links of built pages that lead to no page, file or heading of the site: `docs/mock.html: #nowhere`.
 *
 * @param pages the text of each page by its path: `docs/mock.html`
 * @param files the paths of all files of the site
 */
export function findDeadLinks(
  pages: ReadonlyMap<string, string>,
  files: ReadonlySet<string>,
): readonly string[] {
  const anchors = new Map([...pages].map(([path, text]) => [path, listAnchors(text)]));
  return [...pages].flatMap(([path, text]) => {
    const links = [...text.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, link = '']) => link);
    return [...new Set(links)]
      .filter((link) => !/^[a-z]+:/.test(link) && !isAlive(link, path, files, anchors))
      .map((link) => `${path}: ${link}`);
  });
}

function listAnchors(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id));
}

function isAlive(
  link: string,
  page: string,
  files: ReadonlySet<string>,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const [file = '', hash] = link.split('#');
  const path =
    file === '' ? page : posix.join(file.startsWith('/') ? '' : posix.dirname(page), file);
  const plain = path.replace(/^\//, '');
  const target = [plain, `${plain}.html`, posix.join(plain, 'index.html')].find((each) =>
    files.has(each),
  );
  if (target === undefined) return false;
  return hash === undefined || hash === '' || anchors.get(target)?.has(decodeURI(hash)) === true;
}
