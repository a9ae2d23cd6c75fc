import type { Team } from '@sluice/contract';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import type { TeamActions } from './actions.ts';
import { AddMemberDialog } from './add-member-dialog.tsx';
import { TeamDrawer } from './drawer.tsx';
import { TeamFormDialog } from './form-dialog.tsx';

interface TeamOverlaysProps {
  model: DataTableModel<Team>;
  teams: readonly Team[] | undefined;
  actions: TeamActions;
  isAdministrator: boolean;
}

/** Drawer and dialogs of the teams page. */
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
      <TeamFormDialog {...actions.propsOf('create')} />
      {actions.team && (
        <>
          <TeamFormDialog team={actions.team} {...actions.propsOf('edit')} />
          <AddMemberDialog team={actions.team} {...actions.propsOf('add-member')} />
        </>
      )}
    </>
  );
}
