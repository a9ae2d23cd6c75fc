import type { Team } from '@sluice/contract';
import { CircleCheck, CirclePause, Pencil, Trash2, UserPlus, Users } from 'lucide-react';
import type { RowAction } from '../../components/data-table/row-action.ts';

export interface TeamHandlers {
  viewMembers: (team: Team) => void;
  addMember: (team: Team) => void;
  edit: (team: Team) => void;
  activate: (team: Team) => void;
  deactivate: (team: Team) => void;
  remove: (team: Team) => void;
}

/** What can be done to a team; only administrators of the tenant activate, deactivate and delete it. */
export function listTeamActions(
  handlers: TeamHandlers,
  isAdministrator: boolean,
): readonly RowAction<Team>[] {
  const obstacle = ({ is_active }: Team) => (is_active ? null : 'The team is inactive');
  return [
    { name: 'View members', icon: Users, run: handlers.viewMembers, isInline: true, obstacle },
    { name: 'Add member', icon: UserPlus, run: handlers.addMember, isInline: true, obstacle },
    { name: 'Edit', icon: Pencil, run: handlers.edit, isInline: true, obstacle },
    {
      name: 'Deactivate',
      icon: CirclePause,
      run: handlers.deactivate,
      isInline: true,
      isDangerous: true,
      isHidden: ({ is_active }) => !isAdministrator || !is_active,
    },
    {
      name: 'Activate',
      icon: CircleCheck,
      run: handlers.activate,
      isInline: true,
      isHidden: ({ is_active }) => !isAdministrator || is_active,
    },
    {
      name: 'Delete',
      icon: Trash2,
      run: handlers.remove,
      isDangerous: true,
      isHidden: () => !isAdministrator,
    },
  ];
}
