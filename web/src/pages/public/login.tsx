import { useDocumentTitle } from '@mantine/hooks';
import { Link, useSearch } from '@tanstack/react-router';
import { Lanes } from '../../components/ui/lanes.tsx';
import { Mark } from '../../components/ui/mark.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { SignInForm } from '../../features/auth/sign-in-form.tsx';
import styles from './login.module.css';

export function LoginPage() {
  const { signup } = useSearch({ from: '/login' });
  useDocumentTitle('Sign in · Sluice');
  return (
    <div className={styles.page}>
      <div className={styles.side}>
        <header>
          <Link to="/" className={styles.home}>
            <Mark />
          </Link>
        </header>
        <main className={styles.main}>
          <h1 className={styles.title}>Sign in to Sluice</h1>
          <p className={styles.subtitle}>Admin Dashboard Access</p>
          {signup === 'success' && (
            <p className={styles.welcome}>
              <StatusMark kind="ok">Your account is ready. Sign in to start.</StatusMark>
            </p>
          )}
          <SignInForm />
          <p className={styles.forgotten}>Forgot your password? Ask your administrator.</p>
        </main>
        <footer className={styles.footer}>
          Sluice at <code>{window.location.host}</code>
        </footer>
      </div>
      <div className={styles.art}>
        <Lanes gatesFrom={190} />
      </div>
    </div>
  );
}
