/**
 * What caniemail.com knows of Gmail, Outlook, Apple Mail and Yahoo that the mail's html without its stylesheet uses although
 * one of them does not support it fully, by the feature's name there, and why that is no loss. Anything else fails
 * the test.
 */
export const acceptedExceptions: Readonly<Record<string, string>> = {
  '<body> element': 'Clients put a div in its place; its colour and width are on elements within it, too.',
  'aria-label attribute': 'MJML names the mail for screen readers; where it is dropped, the title and h1 say the same.',
  'color-scheme meta tag': 'Where it is ignored, the client shows the light scheme or makes its own dark one.',
  'dir attribute': 'Only on html, where the direction is that of the clients anyway; names are isolated one by one.',
  'display:none': "The preheader's; it is transparent and of no height as well.",
  'lang attribute': 'Where it is dropped, a screen reader takes the language of the user.',
  'line-height': 'Outlook for Windows rounds it; no row depends on a height.',
  'max-height property': "The preheader's, beside display:none.",
  'max-width': 'Outlook for Windows gets a table of 600 pixels in a conditional comment instead.',
  'role attribute': 'Kept on tables, where it matters.',
  'table-layout': 'auto, which is the default.',
  'text-decoration': 'Of links, with the plain value that every client knows.',
  'text-align': 'Plain left and center.',
  'white-space': 'Keeps few words together; where it is dropped, they wrap.',
  'width attribute': 'Of cells and tables, in percents; the faults are those of pictures.',
  'width property': 'Of tables; on a div MJML gives Outlook a table instead.',
  'height attribute': 'Of the logo, which has its own pixels, and of bars.',
  'height property': 'Of the space between boxes, which MJML gives Outlook as a row.',
  'word-break': 'Without it a word longer than the line widens the mail; only names of hundreds of letters do.',
  'word-spacing': 'normal, which is the default.',
  background: 'One colour.',
  'border-radius': 'Of the button, which is square without it.',
  border: 'Lines of 1 and 4 pixels, on cells.',
  direction: 'ltr, as the mail is.',
  display: 'block and inline-block only; Outlook for Windows gets a table instead.',
  'font-size': 'In pixels.',
  'font-weight': 'bold and normal.',
  margin: 'Zero and small positive ones, of paragraphs and headings; auto only where Outlook has a centred table.',
  opacity: "The preheader's, beside display:none.",
  overflow: "The preheader's, beside display:none.",
  padding: 'On cells; on the line that marks a test it is an ornament.',
};

/** The rules of html-validate that the mails do not keep, and why. Anything else that it finds fails the test. */
export const rulesNotKept: Readonly<Record<string, string>> = {
  'doctype-style': 'MJML writes it in small letters, which is the same to every parser.',
  'long-title': 'The title is the subject, which has up to 78 characters.',
  'no-conditional-comment': 'Outlook for Windows reads them, and only them, as MJML writes them.',
  'no-deprecated-attr': 'MJML, and mail programs that ignore styles, need align, width, cellpadding and the like.',
  'no-inline-style': 'Many mail programs drop a stylesheet: all that matters is in styles of elements.',
  'prefer-native-element': 'MJML names the mail by role="article" on a div, since clients drop unknown elements.',
  'prefer-tbody': 'Parsers add it by themselves; it costs bytes in every bar.',
  'presentation-role-style': 'role="presentation" is the older name, which more screen readers know.',
};
