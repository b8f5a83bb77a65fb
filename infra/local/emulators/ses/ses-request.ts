import * as v from 'valibot';
import { SesRefusal } from './ses-message.ts';

const tagPattern = /^[A-Za-z0-9_-]{1,256}$/;

const sendRawEmail = v.object({
  source: v.optional(v.pipe(v.string(), v.minLength(1))),
  destinations: v.array(v.string()),
  configurationSet: v.optional(v.pipe(v.string(), v.regex(tagPattern))),
  data: v.pipe(v.string('RawMessage.Data is missing'), v.check(isBase64, 'RawMessage.Data is not base64')),
  tags: v.array(
    v.object({ name: v.pipe(v.string(), v.regex(tagPattern)), value: v.pipe(v.string(), v.regex(tagPattern)) }),
  ),
});

/** SendRawEmail's parameters; `destinations` is empty where the message's own headers decide. */
export interface SendRawEmail {
  source: string | undefined;
  destinations: string[];
  configurationSet: string | undefined;
  raw: Buffer;
  tags: { name: string; value: string }[];
}

const known =
  /^(?:Action|Version|Source|ConfigurationSetName|RawMessage\.Data|Destinations\.member\.\d+|Tags\.member\.\d+\.(?:Name|Value))$/;

/**
 * Reads the form of a SendRawEmail call of the Query protocol.
 *
 * @throws {SesRefusal} where a parameter is wrong, or is one that the embedded SES does not emulate.
 */
export function parseSendRawEmail(form: URLSearchParams): SendRawEmail {
  const stranger = [...form.keys()].find((key) => !known.test(key));
  if (stranger !== undefined) {
    throw new SesRefusal('InvalidParameterValue', `The embedded SES does not emulate the parameter ${stranger}.`);
  }
  const parsed = v.safeParse(sendRawEmail, {
    source: form.get('Source') ?? undefined,
    destinations: members(form, 'Destinations.member', ''),
    configurationSet: form.get('ConfigurationSetName') ?? undefined,
    data: form.get('RawMessage.Data') ?? undefined,
    tags: readTags(form),
  });
  if (!parsed.success) throw new SesRefusal('InvalidParameterValue', v.summarize(parsed.issues));
  const { source, destinations, configurationSet, data, tags } = parsed.output;
  return { source, destinations, configurationSet, raw: Buffer.from(data, 'base64'), tags };
}

function readTags(form: URLSearchParams): unknown[] {
  const values = members(form, 'Tags.member', '.Value');
  return members(form, 'Tags.member', '.Name').map((name, index) => ({ name, value: values[index] }));
}

function members(form: URLSearchParams, prefix: string, suffix: string): string[] {
  const found: string[] = [];
  for (let index = 1; ; index++) {
    const value = form.get(`${prefix}.${index}${suffix}`);
    if (value === null) return found;
    found.push(value);
  }
}

/** Not one pattern for the whole: on 10 MB a pattern with groups overflows the stack. */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && !/[^A-Za-z0-9+/=]/.test(text);
}
