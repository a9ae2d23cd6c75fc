import type { User } from '@sluice/contract';

/** Everybody of the tenant, as far as that is known; the page fetches them. */
export interface PeopleSource {
  readonly people: readonly User[] | undefined;
  readonly problem: string | undefined;
  readonly onRetry: () => void;
}
