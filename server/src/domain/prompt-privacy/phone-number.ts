/** Not inside a word and not at the start of a UUID. */
const candidate =
  /(?<![\p{L}\p{N}_.+-])\+?\(?\d[\d ()./\u00a0-]{5,22}\d(?![\p{L}\p{N}_]|-[0-9a-f]{4,12}\b)/gu;

/** Three, three and four digits, as in North America. */
const northAmerican = /^(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}$/;
const international = /^(?:\+|\(?00)/;
const national = /^\(?0[1-9]/;
const date = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})(?:\D|$)/;
/** Maximum number of digits in E.164. */
const digitsMax = 15;

/** Replaces phone numbers; dates and plain numbers are kept. */
export function replacePhoneNumbers(text: string): string {
  return text.replace(candidate, (run) => (isPhoneNumber(run) ? '[phone]' : run));
}

function isPhoneNumber(run: string): boolean {
  const digits = run.replace(/\D/g, '').length;
  if (digits < 7 || digits > digitsMax + 2 || date.test(run)) return false;
  if (northAmerican.test(run)) return true;
  return international.test(run) ? digits >= 8 : national.test(run) && digits >= 9 && digits <= digitsMax;
}
