import './boot';
import { createTheme } from '@grafana/data';
import React from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { readLink } from './link';
import { loadPlugin } from './plugin';
import { installServices, openDataSource } from './services/install';

async function start(): Promise<void> {
  const root = createRoot(document.getElementById('app')!);
  let opened = 0;
  try {
    const theme = createTheme({ colors: { mode: 'light' } });
    await installServices(theme);
    const { plugin, meta } = await loadPlugin();
    const open = async () => {
      const first = await openDataSource(plugin, meta);
      const link = readLink(window.location.hash);
      root.render(<App key={(opened += 1)} {...{ plugin, meta, theme, first, link }} />);
    };
    window.addEventListener('hashchange', () => open().catch(show));
    await open();
  } catch (error) {
    show(error);
  }

  function show(error: unknown) {
    console.error(error);
    root.render(<pre role="alert">The plugin could not be loaded: {String(error)}</pre>);
  }
}

// SystemJS is in separate scripts after this one; all are loaded once the document is.
document.addEventListener('DOMContentLoaded', () => void start());
