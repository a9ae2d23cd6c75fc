import { useQuery } from '@tanstack/react-query';
import type { PickerChoice } from '../../components/forms/picker-choices.ts';
import { describeSource } from '../../lib/describe-failure.ts';
import { formatQuantity } from '../../lib/format-number.ts';
import { grantableTeamsQuery, grantableUsersQuery } from './queries.ts';

interface Answer<Rows> {
  data: Rows | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** Users who can receive a grant; loaded when needed. */
export const useUsers = (isWanted: boolean) =>
  toSource(useQuery({ ...grantableUsersQuery, enabled: isWanted }), 'Failed to load provider access data');

export const useTeams = (isWanted: boolean) =>
  toSource(useQuery({ ...grantableTeamsQuery, enabled: isWanted }), 'Failed to load provider access data');

const toSource = <Rows>(answer: Answer<Rows>, problem: string) => ({
  data: answer.data,
  ...describeSource(answer, problem),
});

export const listTeamChoices = (
  teams: readonly { id: number; name: string; member_count: number }[],
): PickerChoice[] =>
  teams.map(({ id, name, member_count }) => ({
    value: String(id),
    label: name,
    detail: formatQuantity(member_count, 'member'),
  }));
