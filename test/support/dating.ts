import { datingOf } from '../../functions/domain/series.ts';
import { locales } from './words.ts';

/** What dates the names of broadcasts in the languages of the mail. */
export const dating = datingOf(locales);
