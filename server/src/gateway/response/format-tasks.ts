import type { NamedTask } from '#protocols/protocol.ts';

const namesMax = 10;
const conjunction = new Intl.ListFormat('en-US');

/** Formats a user's tasks for an error that asks for one of them. */
export function formatTasks(own: readonly NamedTask[]): string {
  if (own.length === 0) return 'You have none: ask your administrator to assign you one.';
  const names = own.slice(0, namesMax).map(({ id, title }) => `${id} (${title})`);
  const more = own.length - names.length;
  const listed = conjunction.format(more > 0 ? [...names, `${more} more`] : names);
  return own.length === 1 ? `Yours is ${listed}.` : `Yours are ${listed}.`;
}
