import { type Team, type TeamMember, teamRoles } from '@sluice/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { Form } from '#components/forms/form.tsx';
import { listPersonChoices } from '#components/forms/picker-choices.ts';
import { ChipsPickerField } from '#components/forms/picker-field.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { showMessage, showSuccess } from '#components/ui/toasts.tsx';
import { describeSource } from '#lib/describe-failure.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { availableUsersQuery, teamQuery, useAddMember } from './queries.ts';

export const memberRoleOptions = [
  { value: 'member', label: 'Member' },
  { value: 'admin', label: 'Admin' },
] as const;

const meanings: Readonly<Record<string, string>> = {
  member: 'Can access team resources.',
  admin: 'Can manage the team and its members.',
};

interface MemberRoleFieldProps {
  value?: string;
  onChange: (role: string) => void;
}

function MemberRoleField({ value = 'member', ...props }: MemberRoleFieldProps) {
  return (
    <SelectField
      label="Role"
      options={memberRoleOptions}
      description={meanings[value]}
      value={value}
      {...props}
    />
  );
}

interface AddMemberDialogProps {
  team: Team;
  isOpen: boolean;
  onClose: () => void;
}

export function AddMemberDialog({ team, isOpen, onClose }: AddMemberDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Add Member to ${team.name}`}>
      <AddMemberForm team={team} onAdded={onClose} />
    </Dialog>
  );
}

const chosenPeople = z.object({
  user_ids: z.array(z.string()).min(1, 'Please select at least one user to add.'),
  role: z.enum(teamRoles),
});

const nobody: z.infer<typeof chosenPeople> = { user_ids: [], role: 'member' };

function AddMemberForm({ team, onAdded }: { team: Team; onAdded: () => void }) {
  const people = useQuery(availableUsersQuery(team.id));
  const addPeople = useAddPeople(team.id);
  const form = useContractForm({ schema: chosenPeople, initialValues: nobody });
  const { length: count } = form.values.user_ids;
  return (
    <Form
      form={form}
      submitLabel={count > 1 ? `Add ${count} Members` : 'Add Member'}
      pendingLabel="Adding..."
      fallbackProblem="Failed to add member to team"
      onSubmit={async (chosen) => {
        const outcome = await addPeople(chosen);
        tell(outcome);
        if (outcome.failures.length === 0) return onAdded();
        form.setValue(
          'user_ids',
          outcome.failures.map(({ userId }) => userId),
        );
        throw outcome.failures[0]?.error;
      }}
    >
      <ChipsPickerField
        label="Users"
        placeholder="Search users by name or email..."
        emptyText={people.data?.length === 0 ? 'All users are already in this team' : 'No users found'}
        source={{
          choices: people.data && listPersonChoices(people.data),
          ...describeSource(people, 'Failed to fetch available users'),
        }}
        data-autofocus
        {...form.bind('user_ids')}
      />
      <MemberRoleField {...form.bind('role')} />
    </Form>
  );
}

function tell({ addedCount, skippedCount }: AddOutcome): void {
  const skipped = skippedCount > 0 ? `${skippedCount} skipped: already in the team` : null;
  if (addedCount > 0) {
    const added = `${formatQuantity(addedCount, 'member')} added`;
    showSuccess(skipped ? `${added}, ${skipped}` : added);
  } else if (skipped) showMessage(skipped);
}

interface Chosen {
  user_ids: readonly string[];
  role: TeamMember['role'];
}

interface AddOutcome {
  addedCount: number;
  /** Users who already were active members. */
  skippedCount: number;
  failures: readonly { userId: string; error: unknown }[];
}

/** If one user cannot be added, the others still are. */
function useAddPeople(teamId: number): (chosen: Chosen) => Promise<AddOutcome> {
  const queryClient = useQueryClient();
  const { mutateAsync } = useAddMember();
  return async ({ user_ids, role }) => {
    const { members = [] } = await queryClient.fetchQuery({ ...teamQuery(teamId), staleTime: 0 });
    const activeIds = new Set(members.filter(({ is_active }) => is_active).map(({ user_id }) => user_id));
    const newIds = user_ids.filter((userId) => !activeIds.has(Number(userId)));
    const add = (userId: string) =>
      mutateAsync({ params: { id: teamId }, body: { user_id: Number(userId), role } });
    const outcomes = await Promise.allSettled(newIds.map(add));
    const failures = outcomes.flatMap((outcome, index) =>
      outcome.status === 'rejected' ? [{ userId: newIds[index] ?? '', error: outcome.reason }] : [],
    );
    return {
      addedCount: newIds.length - failures.length,
      skippedCount: user_ids.length - newIds.length,
      failures,
    };
  };
}
