/** Where a text stops being JSON; lines and columns count from 1. */
interface JsonPosition {
  line: number;
  column: number;
}

const space = /[ \t\n\r]*/y;

const token =
  /(?<open>[{[])|(?<close>[}\]])|(?<colon>:)|(?<comma>,)|(?<text>"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(?<plain>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\d.eE])|true|false|null)/y;

type Expected = 'value' | 'value or close' | 'key' | 'key or close' | 'colon' | 'comma or close' | 'end';

/**
 * Where a text that `JSON.parse` refuses stops being JSON: at its first token that does not belong there, or at its end.
 * The parser's own message quotes the text, and gives no position for some faults.
 */
export function positionOfJsonFault(text: string): JsonPosition {
  const open: string[] = [];
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    space.lastIndex = at;
    at += space.exec(text)?.[0].length ?? 0;
    token.lastIndex = at;
    const match = token.exec(text);
    const next: Expected | null = match === null ? null : following(expected, match.groups ?? {}, open);
    if (match === null || next === null) return positionAt(text, at);
    expected = next;
    at += match[0].length;
  }
}

/** What may follow a token; `null` where the token itself does not belong there. Keeps count of what is open. */
function following(
  expected: Expected,
  { open: opening, close, colon, comma, text, plain }: Record<string, string | undefined>,
  open: string[],
): Expected | null {
  const after = (): Expected => (open.length === 0 ? 'end' : 'comma or close');
  const takesValue = expected === 'value' || expected === 'value or close';
  const takesKey = expected === 'key' || expected === 'key or close';
  if (opening !== undefined && takesValue) {
    open.push(opening);
    return opening === '{' ? 'key or close' : 'value or close';
  }
  if (close !== undefined && expected.endsWith('close')) {
    return open.pop() === (close === '}' ? '{' : '[') ? after() : null;
  }
  if (text !== undefined && takesKey) return 'colon';
  if ((text !== undefined || plain !== undefined) && takesValue) return after();
  if (colon !== undefined && expected === 'colon') return 'value';
  if (comma !== undefined && expected === 'comma or close') return open.at(-1) === '{' ? 'key' : 'value';
  return null;
}

function positionAt(text: string, at: number): JsonPosition {
  const lines = text.slice(0, at).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
