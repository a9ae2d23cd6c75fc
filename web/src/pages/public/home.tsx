import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Lanes } from '../../components/ui/lanes.tsx';
import { Mark } from '../../components/ui/mark.tsx';
import { Snippet } from '../../components/ui/snippet.tsx';
import { homePathOf } from '../../lib/home-path.ts';
import { currentUserQuery } from '../../lib/session.ts';
import styles from './home.module.css';

export function HomePage() {
  const { data: user } = useQuery(currentUserQuery);
  useDocumentTitle('Sluice: one gate for every model');
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <Mark />
        {user ? (
          <Button component={Link} to={homePathOf(user)}>
            Dashboard
          </Button>
        ) : (
          <Button component={Link} to="/login">
            Login
          </Button>
        )}
      </header>
      <main className={styles.main}>
        <h1 className={styles.title}>One gate for every model</h1>
        <p className={styles.lead}>
          Sluice stands between your people and the language models they use. It knows who asks, measures each
          token, and writes every request down.
        </p>
        <Snippet title="Base URL of this gate" text={`${window.location.origin}/api/v1`} />
      </main>
      <div className={styles.art}>
        <Lanes gatesFrom={40} />
      </div>
    </div>
  );
}
