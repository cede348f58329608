import description from './settings.json';

/** What is said of each setting, by its name: its label in English, its default and its bounds. */
export const described = description.settings;
