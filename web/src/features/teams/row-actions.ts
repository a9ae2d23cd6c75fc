import type { Team } from '@sluice/contract';
import type { RowAction } from '../../components/data-table/row-action.ts';
import {
  ActivateIcon,
  AddPersonIcon,
  DeactivateIcon,
  DeleteIcon,
  EditIcon,
  PeopleIcon,
} from '../../components/ui/action-icons.ts';

export interface TeamHandlers {
  viewMembers: (team: Team) => void;
  addMember: (team: Team) => void;
  edit: (team: Team) => void;
  activate: (team: Team) => void;
  deactivate: (team: Team) => void;
  remove: (team: Team) => void;
}

/** Actions of a team. Only tenant administrators activate, deactivate and delete it. */
export function listTeamActions(
  handlers: TeamHandlers,
  isAdministrator: boolean,
): readonly RowAction<Team>[] {
  const obstacle = ({ is_active }: Team) => (is_active ? null : 'The team is inactive');
  return [
    { name: 'View members', icon: PeopleIcon, run: handlers.viewMembers, isInline: true, obstacle },
    { name: 'Add member', icon: AddPersonIcon, run: handlers.addMember, isInline: true, obstacle },
    { name: 'Edit', icon: EditIcon, run: handlers.edit, isInline: true, obstacle },
    {
      name: 'Deactivate',
      icon: DeactivateIcon,
      run: handlers.deactivate,
      isInline: true,
      isDangerous: true,
      isHidden: ({ is_active }) => !isAdministrator || !is_active,
    },
    {
      name: 'Activate',
      icon: ActivateIcon,
      run: handlers.activate,
      isInline: true,
      isHidden: ({ is_active }) => !isAdministrator || is_active,
    },
    {
      name: 'Delete',
      icon: DeleteIcon,
      run: handlers.remove,
      isDangerous: true,
      isHidden: () => !isAdministrator,
    },
  ];
}
