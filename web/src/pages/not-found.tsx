import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { homePathOf } from '../lib/home-path.ts';
import { modifierKey } from '../lib/modifier-key.ts';
import { currentUserQuery } from '../lib/session.ts';
import styles from './message-page.module.css';

export function NotFoundPage() {
  const { data: user } = useQuery({ ...currentUserQuery, enabled: false });
  useDocumentTitle('Page not found · Sluice');
  return (
    <div className={styles.page}>
      <p className={styles.code}>404</p>
      <h1>There is no such page</h1>
      <p className={styles.text}>
        The address may be mistyped, or what it showed is gone.
        {user && (
          <>
            {' '}
            <kbd>{modifierKey}</kbd> <kbd>K</kbd> finds every page there is.
          </>
        )}
      </p>
      <Button component={Link} to={user ? homePathOf(user) : '/'} variant="default">
        {user ? 'Go to your home page' : 'Go to the start page'}
      </Button>
    </div>
  );
}
