/** What a reader sees of an html mail, a line for each block, without the preheader and what only Outlook reads. */
export function visibleText(html: string): string {
  return html
    .replace(/^[\s\S]*?<body/, '<body')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replace(/<div style="display:none[\s\S]*?<\/div>/, '')
    .replaceAll(/<\/?(?:tr|p|h[1-6]|div|table)\b[^>]*>/g, '\n')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:nbsp|#xA0);/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&#x3D;', '=')
    .replaceAll('&amp;', '&')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/\s*\n\s*/g, '\n');
}

/** The preheader: the hidden first words of the body. */
export function preheader(html: string): string {
  const [, hidden = ''] = /<div style="display:none[^>]*>([^<]*)<\/div>/.exec(html) ?? [];
  return visibleText(hidden).trim();
}
