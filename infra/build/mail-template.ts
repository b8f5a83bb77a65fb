import Handlebars from 'handlebars';

/** The fields of a view that only a page has. */
const fieldsOfPages = /^(?:page|whole)\b/;

/** Handlebars takes a node out of its list where a visitor returns `false` for it. */
class PagePartsRemover extends Handlebars.Visitor {
  mutating = true;

  override BlockStatement(block: hbs.AST.BlockStatement): unknown {
    const [field] = block.params;
    const isOfPage = field !== undefined && 'original' in field && fieldsOfPages.test(String(field.original));
    if (isOfPage && block.path.original !== 'unless') {
      if (block.inverse) throw new TypeError('What only a page has cannot have an {{else}}.');
      return false;
    }
    return super.BlockStatement(block);
  }
}

/**
 * The template of mails: what only a page has, `{{#if page…}}`, `{{#with page…}}` and `{{#with whole}}`, is left out, because
 * the function that sends mails would load it each time.
 *
 * @throws {TypeError} where such a block has an `{{else}}`
 */
export function withoutPageParts(template: string): hbs.AST.Program {
  const program = Handlebars.parse(template);
  new PagePartsRemover().accept(program);
  return program;
}
