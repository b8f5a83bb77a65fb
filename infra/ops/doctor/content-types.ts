import { typeAsks } from '../../../functions/domain/broadcasts/asks.ts';
import { good, look, type Finding } from './finding.ts';

const name = 'service.informingTypes';

/** Below this many views, what share of them responded says more about chance than about a type. */
const viewsForARate = 10;

/** A content item that was examined, with how many saw it and responded. */
interface ExaminedItem {
  type: string;
  seen: number;
  responded: number;
}

/**
 * Which types of content items were met, and whether each is read as one that asks for a response. Worth a look are types
 * whose recipients did otherwise, and an account in which nothing asks: its mail has no response rate.
 */
export function examineTypes(
  types: readonly string[],
  items: readonly ExaminedItem[],
  informingTypes: readonly string[],
): Finding {
  const met = [...new Set(types)].toSorted();
  const asking = met.filter((type) => typeAsks(type, informingTypes));
  const informing = met.filter((type) => !asking.includes(type));
  const found = `Content items that ask for a response: ${listed(asking)}. Items that only inform: ${listed(informing)}.`;
  if (asking.length === 0) {
    const value = 'without the types that ask for a response';
    return look('content types', `${found} So the mail has no response rate.`, { name, value });
  }
  const rated = items.filter(({ seen }) => seen >= viewsForARate);
  const unanswered = rated.find(({ type, responded }) => asking.includes(type) && responded === 0);
  if (unanswered !== undefined) {
    const { type, seen } = unanswered;
    const doubt = `None of ${seen} who saw a "${shortened(type)}" responded.`;
    return look('content types', `${found} ${doubt}`, { name, value: `with "${shortened(type)}", if it only informs` });
  }
  const answered = rated.find(({ type, seen, responded }) => informing.includes(type) && responded * 2 >= seen);
  if (answered !== undefined) {
    const { type, seen, responded } = answered;
    const doubt = `${responded} of ${seen} who saw a "${shortened(type)}" responded.`;
    return look('content types', `${found} ${doubt}`, { name, value: `without "${shortened(type)}", if it asks` });
  }
  return good('content types', found);
}

function listed(types: readonly string[]): string {
  return types.length === 0 ? 'none' : types.map((type) => `"${shortened(type)}"`).join(', ');
}

function shortened(type: string): string {
  return type.slice(0, 40);
}
