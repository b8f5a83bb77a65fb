/** Background and text colour of both schemes, as in `templates/styles/tokens.css`, and the part of the accent in its paler tone. */
export const light = { ground: '#ffffff', ink: '#17212b', pale: 0.5 };
export const dark = { ground: '#1b222b', ink: '#e9edf2', pale: 0.6 };
/** WCAG 2.2, success criterion 1.4.3: contrast of text. */
const readable = 4.5;

/**
 * The accent of a brand (`#rrggbb`) on a light and on a dark background: as it is for bars, paler for their second part, for text,
 * which has the scheme's own colour where the accent has too little contrast, and the colour of text on the accent.
 */
export function viewColours({ accent, accentDark }: { accent: string; accentDark: string }) {
  return {
    accent,
    accentPale: mix(accent, light),
    accentText: contrast(accent, light.ground) >= readable ? accent : light.ink,
    onAccent: inkOn(accent),
    accentDark,
    accentDarkPale: mix(accentDark, dark),
    accentDarkText: contrast(accentDark, dark.ground) >= readable ? accentDark : dark.ink,
    onAccentDark: inkOn(accentDark),
  };
}

/** The colour of text on a colour, white or dark, whichever has more contrast. */
export function inkOn(ground: string): string {
  return contrast('#ffffff', ground) >= contrast(light.ink, ground) ? '#ffffff' : light.ink;
}

/** A colour with so much of the ground that it is the paler tone. */
function mix(colour: string, { ground, pale }: typeof light): string {
  const channels = [1, 3, 5].map((start) =>
    Math.round(value(colour, start) * pale + value(ground, start) * (1 - pale)),
  );
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** The contrast ratio of two colours, 1 to 21: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  return channel(colour, 1) * 0.2126 + channel(colour, 3) * 0.7152 + channel(colour, 5) * 0.0722;
}

function channel(colour: string, start: number): number {
  const share = value(colour, start) / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function value(colour: string, start: number): number {
  return Number.parseInt(colour.slice(start, start + 2), 16);
}
