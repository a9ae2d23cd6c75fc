import type { User } from '@sluice/contract';

/** Users of the tenant, loaded by the page. */
export interface PeopleSource {
  readonly people: readonly User[] | undefined;
  readonly problem: string | undefined;
  readonly onRetry: () => void;
}
