// The dialog of the search has no name for screen readers.
document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
