import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CloudFormationValidatePlugin,
  type IPolicyValidationContext,
  type PolicyValidationPluginReport,
} from 'aws-cdk-lib';
import cdk from 'aws-cdk-lib/package.json' with { type: 'json' };

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** `npm ci` empties it, with the CDK that has the rules. */
const faultlessFolder = join(repository, 'node_modules/.cache/broadcast-digest-faultless');

/**
 * The CDK's own check of templates, which takes as long as everything else that it does together: templates in which it has
 * found nothing are not checked again. Those in which it finds something are checked every time, so it is said every time.
 */
export class TemplateValidation extends CloudFormationValidatePlugin {
  readonly #folder: string;

  /** @param folder where it is remembered which templates are without fault */
  constructor(folder: string = faultlessFolder) {
    super();
    this.#folder = folder;
  }

  /** The version of the CDK, which has the rules. To read the rules' own one, they would have to be loaded. */
  override get version(): string {
    return cdk.version;
  }

  override get ruleIds(): string[] {
    return [cdk.version];
  }

  override validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    const file = join(this.#folder, hashOf(context));
    if (statSync(file, { throwIfNoEntry: false }) !== undefined) return { success: true, violations: [] };
    const report = super.validate(context);
    if (report.success && report.violations.length === 0) remember(this.#folder, file);
    return report;
  }
}

/** A hash of all that the report depends on: the templates, where they are to be deployed, and the version of the rules. */
function hashOf({ stackTemplates }: IPolicyValidationContext): string {
  const hash = createHash('sha256').update(readFileSync(join(repository, 'package-lock.json')));
  for (const { templatePath, stackConstructPath, accountId, region } of stackTemplates) {
    hash.update(JSON.stringify([stackConstructPath, accountId, region, readFileSync(templatePath, 'utf8')]));
  }
  return hash.digest('hex');
}

/** Where the folder cannot be written, as in a read-only checkout, the templates are checked again the next time. */
function remember(folder: string, file: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, '');
  } catch {}
}
