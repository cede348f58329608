import './boot';
import { createTheme } from '@grafana/data';
import React from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { loadPlugin } from './plugin';
import { installServices, openDataSource } from './services/install';

async function start(): Promise<void> {
  const root = createRoot(document.getElementById('app')!);
  try {
    const theme = createTheme({ colors: { mode: 'light' } });
    await installServices(theme);
    const { plugin, meta } = await loadPlugin();
    root.render(<App plugin={plugin} meta={meta} theme={theme} first={await openDataSource(plugin, meta)} />);
  } catch (error) {
    console.error(error);
    root.render(<pre role="alert">The plugin could not be loaded: {String(error)}</pre>);
  }
}

// SystemJS is in separate scripts after this one; all are loaded once the document is.
document.addEventListener('DOMContentLoaded', () => void start());
