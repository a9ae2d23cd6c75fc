import { NativeSelect } from '@mantine/core';
import type { TeamMember } from '@sluice/contract';
import type { Column } from '../../components/data-table/column.ts';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { formatDay, formatFullTime } from '../../lib/format-time.ts';
import styles from './member-columns.module.css';
import { memberRoleOptions } from './member-role-field.tsx';

export const nameOf = ({ user_name }: TeamMember) => user_name || 'Unknown User';

type ChangeRole = (member: TeamMember, role: TeamMember['role']) => void;

export function memberColumns(changeRole: ChangeRole): readonly Column<TeamMember>[] {
  return [
    {
      name: 'Member',
      isPinned: true,
      isHideable: false,
      sortBy: nameOf,
      cell: (member) => (
        <>
          <div className={styles.name}>{nameOf(member)}</div>
          <div className={styles.second} title={member.user_email ?? undefined}>
            {member.user_email}
          </div>
        </>
      ),
    },
    {
      name: 'Role',
      width: '7.25rem',
      sortBy: ({ role }) => role,
      cell: (member) => (
        <NativeSelect
          aria-label={`Role: ${nameOf(member)}`}
          data={memberRoleOptions.map((option) => ({ ...option }))}
          value={member.role}
          onChange={({ currentTarget: { value } }) => {
            const chosen = memberRoleOptions.find((option) => option.value === value);
            if (chosen) changeRole(member, chosen.value);
          }}
        />
      ),
    },
    {
      name: 'Status',
      width: '8rem',
      sortBy: ({ is_active }) => (is_active ? 'active' : 'inactive'),
      cell: ({ is_active, joined_at }) => (
        <>
          {is_active ? (
            <StatusMark kind="ok">Active</StatusMark>
          ) : (
            <StatusMark kind="off">Inactive</StatusMark>
          )}
          <div className={`num ${styles.second}`} title={`Joined ${formatFullTime(joined_at)}`}>
            since {formatDay(joined_at)}
          </div>
        </>
      ),
    },
  ];
}
