import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import styles from './message-page.module.css';

export function NotFoundPage() {
  useDocumentTitle('Page not found · Sluice');
  return (
    <div className={styles.page}>
      <p className={styles.code}>404</p>
      <h1>There is no such page</h1>
      <p className={styles.text}>The address may be mistyped, or what it showed is gone.</p>
      <Button component={Link} to="/" variant="default">
        Go to the start page
      </Button>
    </div>
  );
}
