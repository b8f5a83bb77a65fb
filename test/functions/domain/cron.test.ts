import { describe, expect, it } from 'vitest';
import { CronError, parseCron } from '../../../functions/domain/cron.ts';

const EVERY_MONTH = '1,2,3,4,5,6,7,8,9,10,11,12';

describe('parseCron', () => {
  it.each([
    ['0 8 ? * MON *', `0 8 * ${EVERY_MONTH} 1`],
    ['30 07 * * ? *', `30 7 ${numbers(1, 31)} ${EVERY_MONTH} *`],
    ['0/15 8 1 * ? *', `0,15,30,45 8 1 ${EVERY_MONTH} *`],
    ['*/20 8 1 * ? *', `0,20,40 8 1 ${EVERY_MONTH} *`],
    ['10-30/5,45 8-10 1,15 JAN-MAR,12 ? *', '10,15,20,25,30,45 8,9,10 1,15 1,2,3,12 *'],
    ['0 8 */10 JAN/4 ? *', '0 8 1,11,21,31 1,5,9 *'],
    ['0 8 L * ? *', `0 8 L ${EVERY_MONTH} *`],
    ['0 8 ? * MON-FRI *', `0 8 * ${EVERY_MONTH} 1,2,3,4,5`],
    ['0 8 ? * FRI-MON *', `0 8 * ${EVERY_MONTH} 0,1,5,6`],
    ['0 8 ? * MON-SUN *', `0 8 * ${EVERY_MONTH} 0,1,2,3,4,5,6`],
    ['0 8 ? * SUN,WED *', `0 8 * ${EVERY_MONTH} 0,3`],
    ['0 8 ? * MON#2 *', `0 8 * ${EVERY_MONTH} 1#2`],
    ['0 8 ? * * *', `0 8 * ${EVERY_MONTH} *`],
  ])('reads %s', (text, pattern) => {
    expect(parseCron(text)).toEqual({ text, pattern });
  });

  it('leaves one space between the fields', () => {
    expect(parseCron('  0 8\t?  * MON * ').text).toBe('0 8 ? * MON *');
  });

  it.each([
    ['', 'six fields'],
    ['0 8 ? * MON', 'six fields'],
    ['0 0 8 ? * MON *', 'six fields'],
    ['cron(0 8 ? * MON *)', 'without "cron()"'],
    ['60 8 ? * MON *', 'numbers from 0 to 59 in the minutes field'],
    ['-1 8 ? * MON *', 'numbers from 0 to 59 in the minutes field'],
    ['1.5 8 ? * MON *', 'numbers from 0 to 59 in the minutes field'],
    ['0/0 8 ? * MON *', 'numbers from 0 to 59 in the minutes field'],
    ['0/60 8 ? * MON *', 'numbers from 0 to 59 in the minutes field'],
    ['30-10 8 ? * MON *', 'ascending ranges'],
    ['0, 8 ? * MON *', 'numbers from 0 to 59 in the minutes field'],
    ['? 8 1 * ? *', 'numbers from 0 to 59 in the minutes field'],
    ['0 24 ? * MON *', 'numbers from 0 to 23 in the hours field'],
    ['0 8 0 * ? *', 'numbers from 1 to 31 in the day-of-month field'],
    ['0 8 15W * ? *', 'numbers from 1 to 31 in the day-of-month field'],
    ['0 8 LW * ? *', 'numbers from 1 to 31 in the day-of-month field'],
    ['0 8 L-3 * ? *', 'numbers from 1 to 31 in the day-of-month field'],
    ['0 8 1,L * ? *', 'numbers from 1 to 31 in the day-of-month field'],
    ['0 8 JAN * ? *', 'numbers from 1 to 31 in the day-of-month field'],
    ['0 8 1 13 ? *', 'numbers from 1 to 12 or names from JAN to DEC in the month field'],
    ['0 8 1 NOV-FEB ? *', 'ascending ranges'],
    ['0 8 ? * mon *', 'names from SUN to SAT in the day-of-week field'],
    ['0 8 ? * L *', 'names from SUN to SAT in the day-of-week field'],
    ['0 8 ? * MON#6 *', 'names from SUN to SAT in the day-of-week field'],
    ['0 8 ? * MON#1,TUE#2 *', 'names from SUN to SAT in the day-of-week field'],
    ['0 8 ? * MON-WED-FRI *', 'names from SUN to SAT in the day-of-week field'],
    ['0 8 ? * MON/2 *', 'names from SUN to SAT in the day-of-week field'],
    ['0 8 ? * 2 *', '2 is Monday to EventBridge and Tuesday to most other systems'],
    ['0 8 ? * 5L *', 'Numbers are not accepted'],
    ['0 8 ? * MON 2026', 'Expected "*" as the year, found "2026".'],
    ['0 8 * * * *', 'Expected "?" in exactly one of day-of-month and day-of-week, found "*" and "*".'],
    ['0 8 1 * MON *', 'Expected "?" in exactly one of day-of-month and day-of-week, found "1" and "MON".'],
    ['0 8 ? * ? *', 'Expected "?" in exactly one of day-of-month and day-of-week, found "?" and "?".'],
  ])('refuses "%s" and says why', (text, sentence) => {
    expect(() => parseCron(text)).toThrow(CronError);
    expect(() => parseCron(text)).toThrow(sentence);
  });

  it('names every faulty field at once', () => {
    expect(() => parseCron('61 8 5W * MON 2026')).toThrow(
      new CronError(
        'Expected numbers from 0 to 59 in the minutes field, with lists (1,2), ascending ranges (1-5) and steps ' +
          '(1/5, 1-9/2), or "*", found "61". Expected numbers from 1 to 31 in the day-of-month field, with lists ' +
          '(1,2), ascending ranges (1-5) and steps (1/5, 1-9/2), or "*", "L" or "?", found "5W". Expected "?" in ' +
          'exactly one of day-of-month and day-of-week, found "5W" and "MON". Expected "*" as the year, found "2026".',
      ),
    );
  });
});

function numbers(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).join(',');
}
