import { datingOf } from '../../functions/domain/series.ts';
import de from '../../templates/locales/de.json' with { type: 'json' };
import en from '../../templates/locales/en.json' with { type: 'json' };
import fr from '../../templates/locales/fr.json' with { type: 'json' };

/** What dates the names of broadcasts in the languages of the mail. */
export const dating = datingOf({ de, en, fr });
