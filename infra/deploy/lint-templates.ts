import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';

/** Rules of cfn-lint whose findings are meant, and why. */
const acknowledged: Readonly<Record<string, string>> = {
  W3005:
    'The CDK lets a function wait for its role with its policies; that the role itself is named twice does no harm.',
};

const findingsSchema = v.array(
  v.object({
    Filename: v.string(),
    Level: v.string(),
    Message: v.string(),
    Rule: v.object({ Id: v.string() }),
    Location: v.object({ Start: v.object({ LineNumber: v.number() }) }),
  }),
);

/** What the shell's convention and pyenv's stand-ins answer where there is no such program. */
const notFound = 127;

/**
 * What cfn-lint finds in templates, errors and warnings, a line each; without what is acknowledged here. `null` where
 * cfn-lint is not installed.
 *
 * @throws where cfn-lint answers something else than findings
 */
export async function lintTemplates(templates: readonly string[]): Promise<string[] | null> {
  const answer = await runCfnLint(templates);
  if (answer === null || answer.code === notFound) return null;
  if (answer.code === 0) return [];
  const findings = v.safeParse(v.pipe(v.string(), v.parseJson(), findingsSchema), answer.stdout);
  if (!findings.success) throw new Error(`cfn-lint ended with ${answer.code} and no findings: ${answer.stderr.trim()}`);
  return findings.output
    .filter(({ Rule }) => !Object.hasOwn(acknowledged, Rule.Id))
    .map(({ Filename, Location, Rule, Message }) => `${Filename}:${Location.Start.LineNumber} ${Rule.Id} ${Message}`);
}

/** `null` where there is no such program. */
async function runCfnLint(templates: readonly string[]) {
  const child = spawn('cfn-lint', ['--format', 'json', ...templates], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  try {
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { stdout, stderr, code: Number(code) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
