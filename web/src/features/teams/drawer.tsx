import { Button, TextInput } from '@mantine/core';
import type { Team, TeamMember } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { ActiveMark } from '#components/data-table/active-status.tsx';
import { DetailsDrawer } from '#components/data-table/details-drawer.tsx';
import { type RowAction, RowActions } from '#components/data-table/row-actions.tsx';
import { SpendLine } from '#components/data-table/spend-totals.tsx';
import type { DataTableModel } from '#components/data-table/use-data-table.ts';
import { SelectField } from '#components/forms/select-field.tsx';
import {
  ActivateIcon,
  AddPersonIcon,
  DeactivateIcon,
  EditIcon,
  RemovePersonIcon,
} from '#components/ui/action-icons.ts';
import { useConfirm } from '#components/ui/confirm.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { NameLine, SecondLine } from '#components/ui/lines.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { BudgetsSection } from '#features/budgets/index.ts';
import { LabelsSection } from '#features/labels/index.ts';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatLimit } from '#lib/format-number.ts';
import { formatDay, formatFullTime } from '#lib/format-time.ts';
import type { TeamActions } from './actions.ts';
import { memberRoleOptions } from './add-member-dialog.tsx';
import styles from './drawer.module.css';
import { filterMembers, nameOf } from './filter-teams.ts';
import membersStyles from './members.module.css';
import { teamQuery, useRemoveMember, useUpdateMember } from './queries.ts';
import { TeamUsage } from './usage.tsx';

function useMemberActions({ id, name: teamName }: Team) {
  const confirm = useConfirm();
  const { mutate: update } = useUpdateMember();
  const { mutate: remove } = useRemoveMember();

  const change = useCallback(
    ({ user_id }: TeamMember, body: Partial<Pick<TeamMember, 'role' | 'is_active'>>, failure: string) =>
      update(
        { params: { id, userId: user_id }, body },
        { onError: (error) => showError(messageOf(error, failure)) },
      ),
    [update, id],
  );
  const changeRole = useCallback(
    (member: TeamMember, role: TeamMember['role']) =>
      change(member, { role }, 'Failed to update member role'),
    [change],
  );

  const actions = useMemo(() => {
    const switchMember = (member: TeamMember) =>
      change(member, { is_active: !member.is_active }, 'Failed to update member status');
    const removeMember = async (member: TeamMember) => {
      if (!(await confirm(askToRemove(member, id, teamName)))) return;
      remove(
        { params: { id, userId: member.user_id } },
        {
          onSuccess: () => showSuccess(`${nameOf(member)} was removed from ${teamName}`),
          onError: (error) => showError(messageOf(error, 'Failed to remove member')),
        },
      );
    };
    return listActions(switchMember, (member) => void removeMember(member));
  }, [confirm, change, remove, id, teamName]);

  return { changeRole, actions };
}

type Run = (member: TeamMember) => void;

const listActions = (switchMember: Run, removeMember: Run): readonly RowAction<TeamMember>[] => [
  {
    name: 'Deactivate',
    icon: DeactivateIcon,
    run: switchMember,
    isHidden: ({ is_active }) => !is_active,
  },
  {
    name: 'Activate',
    icon: ActivateIcon,
    run: switchMember,
    isHidden: ({ is_active }) => is_active,
  },
  { name: 'Remove', icon: RemovePersonIcon, run: removeMember, isDangerous: true },
];

const askToRemove = (member: TeamMember, teamId: number, teamName: string) => ({
  title: `Remove ${nameOf(member)} from ${teamName}?`,
  message: 'They lose the LLM access granted through this team. Their other grants stay.',
  inUse: { of: { team_id: teamId, user_id: member.user_id } },
  confirmLabel: 'Remove',
  isDanger: true,
});

const searchFrom = 10;

function TeamMembers({ team }: { team: Team }) {
  const details = useQuery(teamQuery(team.id));
  const { data } = details;
  const { changeRole, actions } = useMemberActions(team);
  const [text, setText] = useState('');
  const failure = describeFailure(details, 'Failed to fetch team details');
  if (failure && !data) return <Failure {...failure} />;
  if (!data) return <SkeletonLines count={8} />;
  const { members = [] } = data;
  if (members.length === 0)
    return (
      <EmptyState title="This team has no members yet">
        Members can use the models granted to the team.
      </EmptyState>
    );

  const found = filterMembers(members, text).toSorted((one, other) =>
    nameOf(one).localeCompare(nameOf(other)),
  );
  return (
    <>
      {members.length > searchFrom && (
        <TextInput
          type="search"
          className={membersStyles.search}
          aria-label="Search members"
          placeholder="Search members by name or email..."
          leftSection={<Search size={16} strokeWidth={1.5} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <PanelList label={`Members of ${team.name}`} items={found} noun="members">
        {(member) => (
          <MemberRow key={member.user_id} member={member} onChangeRole={changeRole} actions={actions} />
        )}
      </PanelList>
      {found.length === 0 && <p className="quiet">No members found</p>}
    </>
  );
}

interface TeamDrawerProps {
  model: DataTableModel<Team>;
  /** All teams, because the team named in the URL may be filtered out of the list. */
  teams: readonly Team[] | undefined;
  id: string;
  actions: TeamActions;
  isAdministrator: boolean;
}

/** Drawer next to the list with a team's members. */
export function TeamDrawer({ model, teams, id, actions, isAdministrator }: TeamDrawerProps) {
  const team = teams?.find((listed) => String(listed.id) === id);
  return (
    <DetailsDrawer model={model} label="Team Members" heading={<Heading team={team} />}>
      {!teams && <SkeletonLines count={6} />}
      {teams && !team && (
        <EmptyState title="Team not found">This tenant has no team with the ID {id}.</EmptyState>
      )}
      {team?.is_active === false && (
        <EmptyState
          title="This team is inactive"
          action={
            isAdministrator && (
              <Button
                variant="default"
                leftSection={<ActivateIcon {...iconProps} />}
                onClick={() => void actions.switchTeam(team, true)}
              >
                Activate
              </Button>
            )
          }
        >
          It grants no access, and its members cannot be changed.
        </EmptyState>
      )}
      {team?.is_active && (
        <>
          <div className={styles.actions}>
            <Button
              leftSection={<AddPersonIcon {...iconProps} />}
              onClick={() => actions.open('add-member', team)}
            >
              Add Member
            </Button>
            <Button
              variant="default"
              leftSection={<EditIcon {...iconProps} />}
              onClick={() => actions.open('edit', team)}
            >
              Edit
            </Button>
          </div>
          <TeamMembers team={team} />
        </>
      )}
      {team && <TeamFigures team={team} isAdministrator={isAdministrator} />}
    </DetailsDrawer>
  );
}

function TeamFigures({ team, isAdministrator }: { team: Team; isAdministrator: boolean }) {
  return (
    <>
      {isAdministrator && <BudgetsSection of={{ team_id: team.id }} />}
      {isAdministrator && <LabelsSection of={{ kind: 'team', id: team.id }} />}
      <TeamUsage team={team} isAdministrator={isAdministrator} />
    </>
  );
}

const iconProps = { size: 14, strokeWidth: 1.5, 'aria-hidden': true } as const;

function Heading({ team }: { team: Team | undefined }) {
  return (
    <>
      <h2>{team?.name ?? 'Team Members'}</h2>
      {team && <p className={styles.description}>{team.description || 'No description'}</p>}
      {team && <SpendLine spend={team} />}
    </>
  );
}

interface MemberRowProps {
  member: TeamMember;
  onChangeRole: (member: TeamMember, role: TeamMember['role']) => void;
  actions: readonly RowAction<TeamMember>[];
}

function MemberRow({ member, onChangeRole, actions }: MemberRowProps) {
  const name = nameOf(member);
  return (
    <li className={membersStyles.member}>
      <div className={membersStyles.person}>
        <NameLine>{name}</NameLine>
        {member.user_email !== null && <SecondLine title={member.user_email}>{member.user_email}</SecondLine>}
        <div className={`num ${membersStyles.status}`}>
          <ActiveMark isActive={member.is_active} noun="member" />
          <SecondLine title={formatFullTime(member.joined_at)}>
            Joined {formatDay(member.joined_at)}
          </SecondLine>
          <SecondLine title="Cost this month under the team's grants">
            {formatUsd(member.spend_usd_month)} this month
          </SecondLine>
        </div>
        <SecondLine title="The user's own token limits">{describeLimits(member)}</SecondLine>
      </div>
      <div className={membersStyles.actions}>
        <SelectField
          className={membersStyles.role}
          aria-label={`Role: ${name}`}
          options={memberRoleOptions}
          value={member.role}
          onChange={(value) => {
            const chosen = memberRoleOptions.find((option) => option.value === value);
            if (chosen) onChangeRole(member, chosen.value);
          }}
        />
        <RowActions row={member} rowName={name} actions={actions} isTabStop />
      </div>
    </li>
  );
}

/** Example: `1,000 tokens per day, 30,000 per month`. */
function describeLimits({ daily_quota, monthly_quota }: TeamMember): string {
  if (daily_quota === null && monthly_quota === null) return 'no token limit';
  return `${formatLimit(daily_quota)} tokens per day, ${formatLimit(monthly_quota)} per month`;
}
