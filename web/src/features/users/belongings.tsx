import type { UserStanding } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../components/ui/badge.tsx';
import styles from './belongings.module.css';
import { LimitUse } from './limit-use.tsx';

type Task = UserStanding['tasks'][number];

/** The user's tasks and teams. */
export function Belongings({ standing: { tasks, teams } }: { standing: UserStanding }) {
  return (
    <>
      <section aria-labelledby="user-tasks">
        <h3 id="user-tasks">Tasks</h3>
        {tasks.length === 0 && <p className="quiet">No task is assigned.</p>}
        {tasks.map((task) => (
          <LimitUse key={task.task_id} name={<TaskName task={task} />} unit="tokens" {...amountsOf(task)} />
        ))}
      </section>
      <section aria-labelledby="user-teams">
        <h3 id="user-teams">Teams</h3>
        {teams.length === 0 && <p className="quiet">In no team.</p>}
        <ul className={styles.teams}>
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

const amountsOf = ({ used, held, limit }: Task) => ({ used, held, limit });

function TaskName({ task }: { task: Task }) {
  return (
    <>
      <Link to="/admin/tasks" search={{ open: task.task_id }}>
        {task.task_title}
      </Link>{' '}
      {task.is_api_access && <Badge>API access</Badge>}
      {!task.is_active && <Badge tone="warn">Inactive</Badge>}
    </>
  );
}
