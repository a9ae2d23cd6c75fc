/** Whether a name is in the IANA time zone database, such as `Europe/Berlin`; offsets such as `+01:00` are not. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
