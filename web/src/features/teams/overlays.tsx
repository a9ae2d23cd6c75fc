import type { Team } from '@sluice/contract';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import type { TeamActs } from './actions.ts';
import { AddMemberDialog } from './add-member-dialog.tsx';
import { TeamDrawer } from './drawer.tsx';
import { TeamFormDialog } from './form-dialog.tsx';

interface TeamOverlaysProps {
  model: DataTableModel<Team>;
  teams: readonly Team[] | undefined;
  acts: TeamActs;
  isAdministrator: boolean;
}

/** What opens over the list of teams: the members of one, and the forms. */
export function TeamOverlays({ model, teams, acts, isAdministrator }: TeamOverlaysProps) {
  const { open } = model.state.search;
  return (
    <>
      {open !== undefined && (
        <TeamDrawer
          model={model}
          teams={teams}
          id={String(open)}
          acts={acts}
          isAdministrator={isAdministrator}
        />
      )}
      <TeamFormDialog {...acts.propsOf('create')} />
      {acts.team && (
        <>
          <TeamFormDialog team={acts.team} {...acts.propsOf('edit')} />
          <AddMemberDialog team={acts.team} {...acts.propsOf('add-member')} />
        </>
      )}
    </>
  );
}
