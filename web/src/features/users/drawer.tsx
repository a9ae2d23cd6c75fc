import { Button } from '@mantine/core';
import type { User, UserStanding } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SpendSection } from '#components/charts/spend-section.tsx';
import { DetailsDrawer } from '#components/data-table/details-drawer.tsx';
import type { DataTableModel } from '#components/data-table/use-data-table.ts';
import { Badge, RoleBadge } from '#components/ui/badge.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { LimitUse } from '#components/ui/limit-use.tsx';
import { Failure, Notice } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { ApiKeyState } from '#features/api-keys/index.ts';
import { BudgetsSection } from '#features/budgets/index.ts';
import { LabelsSection } from '#features/labels/index.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatCount } from '#lib/format-number.ts';
import { formatFullTime } from '#lib/format-time.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import type { UserAction } from './actions.ts';
import belongingsStyles from './belongings.module.css';
import styles from './details.module.css';
import drawerStyles from './drawer.module.css';
import { PermittedModels } from './permitted-models.tsx';
import { RecentRequests } from './recent-requests.tsx';
import { userDaysQuery, userStandingQuery } from './standing-queries.ts';
import { UserStatusMarks } from './status.tsx';
import { ScoreTrend } from './trend.tsx';

/** Loaded on demand, because few users have signed-in tools. */
const UserToolsSection = lazyPart(() => import('#features/signed-in-tools/index.ts'), 'UserToolsSection');

function AccountFacts({ user }: { user: User }) {
  return (
    <section aria-labelledby="user-account">
      <h3 id="user-account">Account</h3>
      <FactList>
        <Fact name="Role">
          <RoleBadge name={user.role_name} />
        </Fact>
        <Fact name="Status">
          <UserStatusMarks user={user} />
        </Fact>
        {user.kind === 'service' && (
          <Fact name="Kind">
            <Link to="/admin/service-accounts" search={{ open: user.id }}>
              Service account
            </Link>
          </Fact>
        )}
        {user.provisioned_by === 'scim' && <Fact name="Source">Provisioned by SCIM</Fact>}
        {user.kind === 'person' && <SignInFacts user={user} />}
        <Fact name="Created">{formatFullTime(user.created_at)}</Fact>
        <Fact name="User ID">{user.id}</Fact>
      </FactList>
    </section>
  );
}

function SignInFacts({ user }: { user: User }) {
  return (
    <>
      <Fact name="Second factor">
        <StatusMark kind={user.has_second_factor ? 'ok' : 'off'}>
          {user.has_second_factor ? 'On' : 'Off'}
        </StatusMark>
      </Fact>
      <Fact name="Last login">{user.last_login === null ? 'Never' : <Time value={user.last_login} />}</Fact>
    </>
  );
}

type Task = UserStanding['tasks'][number];

function Belongings({ standing: { tasks, teams } }: { standing: UserStanding }) {
  return (
    <>
      <section aria-labelledby="user-tasks">
        <h3 id="user-tasks">Tasks</h3>
        {tasks.length === 0 && <p className="quiet">No task is assigned.</p>}
        {tasks.map((task) => (
          <LimitUse key={task.task_id} name={<TaskName task={task} />} {...describeUse(task, 'tokens')} />
        ))}
      </section>
      <section aria-labelledby="user-teams">
        <h3 id="user-teams">Teams</h3>
        {teams.length === 0 && <p className="quiet">Not in any team.</p>}
        <ul className={belongingsStyles.teams}>
          {teams.map(({ team_id, team_name, role, is_active }) => (
            <li key={team_id}>
              <Link to="/admin/teams" search={{ open: team_id }}>
                {team_name}
              </Link>
              {role === 'admin' && <Badge>Team admin</Badge>}
              {!is_active && <Badge tone="warn">Inactive</Badge>}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

type Use = Pick<Task, 'used' | 'held' | 'limit'>;

/** Reserved tokens that a request does not use become available again. */
function describeUse({ used, held, limit }: Use, unit: string) {
  return {
    used,
    limit,
    amount: formatCount(used),
    of: limit === null ? ` ${unit}, unlimited` : ` of ${formatCount(limit)} ${unit}`,
    notes: held > 0 && (
      <span>{`${formatCount(held)} ${unit} reserved for running and upcoming requests`}</span>
    ),
  };
}

function TaskName({ task }: { task: Task }) {
  return (
    <>
      <Link to="/admin/tasks" search={{ open: task.task_id }}>
        {task.task_title}
      </Link>{' '}
      {task.is_dummy_task && <Badge>API access</Badge>}
      {!task.is_active && <Badge tone="warn">Inactive</Badge>}
    </>
  );
}

interface StandingProps {
  standing: UserStanding;
  userId: number;
}

const limitNames: Record<UserStanding['limits'][number]['kind'], { name: string; unit: string }> = {
  requests_per_hour: { name: 'This hour', unit: 'requests' },
  tokens_per_day: { name: 'Today', unit: 'tokens' },
  tokens_per_month: { name: 'This month', unit: 'tokens' },
};

/** Open appeal, limits, tasks and recent requests of a user. */
function Standing({ standing, userId }: StandingProps) {
  const { open_appeal: appeal, limits } = standing;
  return (
    <>
      {appeal && (
        <Notice kind="warn" title="An appeal is waiting for a decision">
          <p>{appeal.message}</p>
          <p>
            <Link to="/admin/users" search={{ tab: 'appeals' }}>
              Decide the appeal
            </Link>{' '}
            of {formatFullTime(appeal.created_at)}
          </p>
        </Notice>
      )}
      <section aria-labelledby="user-usage">
        <h3 id="user-usage">Usage</h3>
        {limits.map(({ kind, resets_at, ...use }) => {
          const { name, unit } = limitNames[kind];
          return <LimitUse key={kind} name={name} {...describeUse(use, unit)} resetsAt={resets_at} />;
        })}
      </section>
      <Belongings standing={standing} />
      <RecentRequests requests={standing.recent_requests} userId={userId} />
    </>
  );
}

function UserSpend({ user }: { user: User }) {
  const { data: days } = useQuery(userDaysQuery(user.id));
  return <SpendSection name={user.name} spend={user} days={days} place={{ user: user.id }} />;
}

function UserDetails({ user }: { user: User }) {
  const answer = useQuery(userStandingQuery(user.id));
  const { data: standing } = answer;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading the activity of the user');
  return (
    <div className={styles.details}>
      {user.is_blocked && (
        <Notice kind="bad" title="Blocked">
          {user.blocked_reason ?? 'No reason was given.'}
        </Notice>
      )}
      <UserSpend user={user} />
      <ScoreTrend user={user} />
      {failure && <Failure {...failure} />}
      {standing && <Standing standing={standing} userId={user.id} />}
      {!standing && !failure && <SkeletonLines count={8} />}
      <BudgetsSection of={{ owner_id: user.id }} />
      <LabelsSection of={{ kind: 'user', id: user.id }} />
      <PermittedModels userId={user.id} />
      <AccountFacts user={user} />
      <section aria-labelledby="user-api-key">
        <h3 id="user-api-key">API key</h3>
        <ApiKeyState userId={user.id} />
      </section>
      {standing && standing.signed_in_tools > 0 && <UserToolsSection userId={user.id} />}
    </div>
  );
}

interface UserDrawerProps {
  model: DataTableModel<User>;
  /** All users, because the user named in the URL may be filtered out of the list. */
  users: readonly User[] | undefined;
  id: string;
  actions: readonly UserAction[];
}

/** Drawer next to the list with a user's details. */
export function UserDrawer({ model, users, id, actions }: UserDrawerProps) {
  const user = users?.find((listed) => String(listed.id) === id);
  return (
    <DetailsDrawer model={model} label="User details" heading={<Heading user={user} />}>
      {!users && <SkeletonLines count={6} />}
      {users && !user && (
        <EmptyState title="User not found">This tenant has no user with the ID {id}.</EmptyState>
      )}
      {user && (
        <>
          <div className={drawerStyles.actions}>
            {actions
              .filter(({ isHidden }) => !isHidden?.(user))
              .map(({ name, icon: Icon, run }) => (
                <Button
                  key={name}
                  variant="default"
                  leftSection={<Icon size={14} strokeWidth={1.5} aria-hidden />}
                  onClick={() => run(user)}
                >
                  {name}
                </Button>
              ))}
          </div>
          <UserDetails user={user} />
        </>
      )}
    </DetailsDrawer>
  );
}

function Heading({ user }: { user: User | undefined }) {
  return (
    <>
      <h2>{user?.name ?? 'User details'}</h2>
      {user && <p className={`quiet ${drawerStyles.email}`}>{user.email}</p>}
    </>
  );
}
