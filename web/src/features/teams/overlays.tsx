import { createTeamBody, type Team, teamDescriptionMax } from '@sluice/contract';
import type { DataTableModel } from '#components/data-table/use-data-table.ts';
import { Form } from '#components/forms/form.tsx';
import { TextAreaField, TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import type { TeamActions } from './actions.ts';
import { AddMemberDialog } from './add-member-dialog.tsx';
import { TeamDrawer } from './drawer.tsx';
import { useCreateTeam, useUpdateTeam } from './queries.ts';

interface TeamOverlaysProps {
  model: DataTableModel<Team>;
  teams: readonly Team[] | undefined;
  actions: TeamActions;
  isAdministrator: boolean;
}

export function TeamOverlays({ model, teams, actions, isAdministrator }: TeamOverlaysProps) {
  const { open } = model.state.search;
  return (
    <>
      {open !== undefined && (
        <TeamDrawer
          model={model}
          teams={teams}
          id={String(open)}
          actions={actions}
          isAdministrator={isAdministrator}
        />
      )}
      {isAdministrator && <TeamFormDialog {...actions.propsOf('create')} />}
      {actions.team && (
        <>
          <TeamFormDialog team={actions.team} {...actions.propsOf('edit')} />
          <AddMemberDialog team={actions.team} {...actions.propsOf('add-member')} />
        </>
      )}
    </>
  );
}

interface TeamFormDialogProps {
  team?: Team | undefined;
  isOpen: boolean;
  onClose: () => void;
}

export function TeamFormDialog({ team, isOpen, onClose }: TeamFormDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={team ? 'Edit Team' : 'Create Team'}>
      <TeamForm team={team} onSaved={onClose} />
    </Dialog>
  );
}

function TeamForm({ team, onSaved }: { team: Team | undefined; onSaved: () => void }) {
  const create = useCreateTeam();
  const update = useUpdateTeam();
  const form = useContractForm({
    schema: createTeamBody,
    initialValues: { name: team?.name ?? '', description: team?.description ?? '' },
  });
  return (
    <Form
      form={form}
      submitLabel={team ? 'Update Team' : 'Create Team'}
      pendingLabel={team ? 'Updating Team...' : 'Creating Team...'}
      fallbackProblem="Failed to save team"
      needsChange={team !== undefined}
      onSubmit={async ({ name, description }) => {
        const body = { name, description: description || null };
        const saved = team
          ? await update.mutateAsync({ params: { id: team.id }, body })
          : await create.mutateAsync({ body });
        showSuccess(`${saved.name} was ${team ? 'updated' : 'created'}`);
        onSaved();
      }}
    >
      <TextField label="Team Name" data-autofocus {...form.bind('name')} />
      <TextAreaField label="Description" characterLimit={teamDescriptionMax} {...form.bind('description')} />
    </Form>
  );
}
