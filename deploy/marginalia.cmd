@echo off
rem Marginalia's service on Windows. It lies in %LOCALAPPDATA%\Marginalia beside kernel-token.txt and service-token.txt, which have a token each.
set "MARGINALIA=%LOCALAPPDATA%\Marginalia"
"%APPDATA%\npm\marginalia-service.cmd" --kernel http://127.0.0.1:6806 --kernel-token-file "%MARGINALIA%\kernel-token.txt" --token-file "%MARGINALIA%\service-token.txt" --data "%MARGINALIA%\data"
