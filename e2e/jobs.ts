/** Number of actions for a job, as counted in the browser. */
export interface Effort {
  readonly clicks: number;
  /** Includes file inputs. Returning to a field counts again. */
  readonly fields: number;
  /** Keys that do not write into a field, such as Enter or a shortcut. */
  readonly keys: number;
}

/** Actions from the start page to the result. */
export const jobs = {
  administrator: {
    'connect a provider': { clicks: 7, fields: 2, keys: 0 },
    'give access': { clicks: 4, fields: 1, keys: 0 },
    'find out why a request was refused yesterday': { clicks: 2, fields: 1, keys: 0 },
    'lower the limit of the top spender': { clicks: 3, fields: 1, keys: 0 },
    'block a user and decide their appeal': { clicks: 6, fields: 3, keys: 0 },
    'see what a team cost last month': { clicks: 3, fields: 0, keys: 0 },
    'rotate a key': { clicks: 7, fields: 1, keys: 0 },
    'compare two models': { clicks: 4, fields: 1, keys: 0 },
  },
  user: {
    'make a first call': { clicks: 4, fields: 2, keys: 0 },
    'chat about a picture': { clicks: 2, fields: 2, keys: 1 },
    'find the chat of last week by its text': { clicks: 2, fields: 1, keys: 0 },
    'sign up': { clicks: 6, fields: 8, keys: 0 },
  },
} as const satisfies Record<string, Record<string, Effort>>;

type Jobs = typeof jobs;
export type JobName = { [Audience in keyof Jobs]: keyof Jobs[Audience] }[keyof Jobs];

/** Actions at commit 122a94cb. `null` means that no page showed the result. */
export const jobsBefore: Readonly<Record<JobName, Effort | null>> = {
  'connect a provider': { clicks: 8, fields: 2, keys: 0 },
  'give access': { clicks: 4, fields: 1, keys: 0 },
  'find out why a request was refused yesterday': { clicks: 2, fields: 3, keys: 0 },
  'lower the limit of the top spender': { clicks: 5, fields: 1, keys: 0 },
  'block a user and decide their appeal': { clicks: 6, fields: 3, keys: 0 },
  'see what a team cost last month': null,
  'rotate a key': { clicks: 7, fields: 1, keys: 0 },
  'compare two models': { clicks: 4, fields: 1, keys: 0 },
  'make a first call': { clicks: 4, fields: 2, keys: 0 },
  'chat about a picture': { clicks: 3, fields: 2, keys: 1 },
  'find the chat of last week by its text': null,
  'sign up': { clicks: 6, fields: 9, keys: 0 },
};
