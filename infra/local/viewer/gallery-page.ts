/** A picture of the gallery: which mail it shows, and how. */
export interface Picture {
  file: string;
  account: string;
  locale: string;
  scheme: string;
  /** Pixels. */
  width: number;
  engine: string;
}

/** A page with all pictures, a section for each mail and a row for each width and scheme, engine beside engine. */
export function galleryPage(pictures: readonly Picture[]): string {
  const mails = Map.groupBy(pictures, ({ account, locale }) => `${account}, ${locale}`);
  const sections = [...mails].map(([title, views]) => {
    const rows = Map.groupBy(views, ({ width, scheme }) => `${width} px, ${scheme}`);
    return [`<h2>${escapeHtml(title)}</h2>`, ...[...rows].map(([view, row]) => galleryRow(view, row))].join('\n');
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>The mails in every engine</title>
<style>
  body { font: 15px/1.5 sans-serif; margin: 1.5rem }
  .row { display: flex; gap: 1rem; align-items: flex-start; overflow-x: auto }
  figure { margin: 0 0 1rem }
  img { border: 1px solid #bbb; display: block }
</style>
<h1>The mails in every engine</h1>
${sections.join('\n')}
</html>
`;
}

function galleryRow(view: string, row: readonly Picture[]): string {
  const figures = row.map(({ file, engine }) => {
    const picture = `<img src="${encodeURIComponent(file)}" alt="${escapeHtml(`${view}, ${engine}`)}" loading="lazy">`;
    return `<figure><figcaption>${escapeHtml(engine)}</figcaption>${picture}</figure>`;
  });
  return `<h3>${view}</h3>\n<div class="row">\n${figures.join('\n')}\n</div>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
