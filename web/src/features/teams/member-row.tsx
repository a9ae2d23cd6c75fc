import type { TeamMember } from '@sluice/contract';
import { ActionButtons } from '../../components/data-table/action-buttons.tsx';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { SelectField } from '../../components/forms/select-field.tsx';
import { ActiveMark } from '../../components/ui/active-mark.tsx';
import { NameLine, SecondLine } from '../../components/ui/lines.tsx';
import { formatDay, formatFullTime } from '../../lib/format-time.ts';
import { nameOf } from './find.ts';
import { memberRoleOptions } from './member-role-field.tsx';
import styles from './members.module.css';

interface MemberRowProps {
  member: TeamMember;
  onChangeRole: (member: TeamMember, role: TeamMember['role']) => void;
  actions: readonly RowAction<TeamMember>[];
}

/** One member: user, date, role and actions. */
export function MemberRow({ member, onChangeRole, actions }: MemberRowProps) {
  const name = nameOf(member);
  return (
    <li className={styles.member}>
      <div className={styles.person}>
        <NameLine>{name}</NameLine>
        {member.user_email !== null && <SecondLine title={member.user_email}>{member.user_email}</SecondLine>}
        <div className={`num ${styles.status}`}>
          <ActiveMark isActive={member.is_active} />
          <SecondLine title={formatFullTime(member.joined_at)}>
            Joined {formatDay(member.joined_at)}
          </SecondLine>
        </div>
      </div>
      <div className={styles.actions}>
        <SelectField
          className={styles.role}
          aria-label={`Role: ${name}`}
          options={memberRoleOptions}
          value={member.role}
          onChange={(value) => {
            const chosen = memberRoleOptions.find((option) => option.value === value);
            if (chosen) onChangeRole(member, chosen.value);
          }}
        />
        <ActionButtons row={member} rowName={name} actions={actions} />
      </div>
    </li>
  );
}
